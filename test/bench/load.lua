-- Sends emails: `wrk -s load.lua URL -- NAME=VALUE ...`, and prints the result as one line of JSON.
--   amount=N                  stop after so many responses
--   keys=PREFIX               an idempotency key for each request
--   from=SECONDS every=SECONDS  scheduled messages, each later than the one before
local template = '{"from":"orders@bakery.example","to":["ada@readers.example"],'
  .. '"subject":"Your order 4711 is on its way",'
  .. '"html":"<h1>Thank you, Ada</h1><p>Your order <b>4711</b> left our bakery this morning.</p>",'
  .. '"text":"Thank you, Ada. Your order 4711 left our bakery this morning.",'
  .. '"tags":{"kind":"receipt","order":"4711"}%s}'

wrk.method = "POST"
wrk.headers["authorization"] = "Bearer sandbox_all_2f7c"
wrk.headers["content-type"] = "application/json"
wrk.body = template:format("")

function init(arguments)
  local options = {}
  for _, argument in ipairs(arguments) do
    local name, value = argument:match("^(%w+)=(.*)$")
    options[name] = value
  end
  -- Without these functions wrk itself does less.
  if options.keys or options.every then vary(options) end
  if options.amount then stopAfter(tonumber(options.amount)) end
  local plain = wrk.format()
  if not request then request = function() return plain end end
end

function vary(options)
  local sent = 0
  function request()
    sent = sent + 1
    if options.keys then wrk.headers["idempotency-key"] = ("%s-%012x"):format(options.keys, sent) end
    if options.every then
      local at = os.date("!%Y-%m-%dT%H:%M:%SZ", options.from + math.floor(sent * options.every))
      wrk.body = template:format((',"scheduled_at":"%s"'):format(at))
    end
    return wrk.format()
  end
end

-- Ends the process: wrk would sleep until the end of its duration.
function stopAfter(amount)
  local received, failed = 0, 0
  function response(status)
    received = received + 1
    if status >= 300 then failed = failed + 1 end
    if received < amount then return end
    io.write(('{"requests":%d,"failed":%d}\n'):format(received, failed))
    os.exit(0)
  end
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(('{"requests":%d,"seconds":%f,"p50":%f,"p99":%f,"failed":%d}\n'):format(
    summary.requests,
    summary.duration / 1e6,
    latency:percentile(50) / 1000,
    latency:percentile(99) / 1000,
    failed
  ))
end
