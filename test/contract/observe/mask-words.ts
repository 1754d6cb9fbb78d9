/** The words of the messages of checks: all that a masked message shows besides the names and values of the document. */
export const messageWords = new Set(
  `a accepted account added addition additional after again all allow allowance allowances allowed alone an and another any api
  application are array as at base batch be bearer before below between block body boolean bounce bounces bytes calls cancel
  canceled change changes characters charset checks client clients conflict consent contact contacts content count counts date
  decrease delivered delivery detail diagnostic did do document documented does domain due each earlier email emails empty
  entries entry enum equal error errors event events every exchange expected failed fewer field fields final first for form
  format found from full get gmt greater has have header headers history http https id ids if in infinity instead integer
  invalid is it its items json key keys known last later least length less limit list listed lists longer lost many match may
  media message messages method methods minute missing month monthly more most must name named names new no none not nothing
  null number object of offset on once one only operation operations or other others own pattern per permanent plan present
  properties property quota rate read record rejected remaining replay replayed request requests required response responses
  retry right same schema second seconds see sent sequence set shape share shorter should show shows since some stated states
  status steps string subject success such suppressed tag tags template text than that the their them then these this time
  times to too true type types under unexpected unique unknown unless unsubscribe up url utc valid value values variable was
  were when which while with within without xx z false`.split(/\s+/),
);
