/** The words of the messages of checks: all that a masked message shows besides the names and values of the document. */
export const messageWords = new Set(
  `2xx 4xx 5xx a accepted account added addition additional after again all allow allowance allowances allowed alone an and another
  any api application are array as at base batch batches be bearer before below between block body boolean bounce bounces bytes
  calls cancel canceled change changes characters charset checks client clients conflict consent contact contacts content
  content-type count counts date decrease delivered delivery detail diagnostic did do document documented does domain due each
  earlier email emails empty end entries entry enum equal equals error errors event events every exchange exists expected failed
  false fault fewer field fields final first for form format found from full gateway get gmt greater has have header headers
  history http https id ids if in infinity instead integer invalid is it items its json just key keyed keys known last later
  least left length less limit list listed listing lists longer lost many match may media message messages method methods minute
  missing month monthly more most must name named names new newsletter no none not nothing null number object of offset on once
  one only operation operations or other others own pair pattern per permanent plan present products properties property quota
  rate reached read record rejected remaining remains replay replayed request requests required response responses retry right s
  same schema second seconds see send sends sent sequence set shape share shorter should show shows simulated since some stated
  states status stays steps string subject success such supported suppressed tag tags template text texts than that the their
  them then these this time times to too traffic true type types under unexpected unique unknown unless unsubscribe unsupported
  up url utc valid value values variable wait was were what when which while whole with within without xx z`.split(
    /\s+/,
  ),
);
