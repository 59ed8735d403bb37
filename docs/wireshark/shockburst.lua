-- Enhanced ShockBurst frames of nRF24 and nRF5 radios in Wireshark, as `airlag run --sniff` writes them.
--
--     wireshark -X lua_script:shockburst.lua FILE.pcapng
--
-- or copy this file to the folder for personal Lua plugins (Help, About Wireshark, Folders).
--
-- No link type is registered for these frames, so files use LINKTYPE_USER0 (147). Layout, as crates/models writes it:
--   channel, MHz above 2400 | CRC, bytes | rate, kbit/s, 2 bytes LE | address, 3 to 5 bytes, LSB first |
--   packet control, 2 bytes LE: length above bit 3, identity in bits 2:1, NO_ACK in bit 0 | payload

local esb = Proto("shockburst", "Enhanced ShockBurst")

local HEADER, CONTROL = 4, 2
local NARROWEST, WIDEST = 3, 5

local f = {
  frequency = ProtoField.uint16("shockburst.frequency", "Frequency, MHz"),
  channel = ProtoField.uint8("shockburst.channel", "Channel"),
  crc = ProtoField.uint8("shockburst.crc", "CRC, bytes"),
  rate = ProtoField.uint16("shockburst.rate", "Air data rate, kbit/s"),
  address = ProtoField.string("shockburst.address", "Address"),
  length = ProtoField.uint8("shockburst.length", "Payload length, bytes"),
  identity = ProtoField.uint8("shockburst.identity", "Packet identity"),
  no_ack = ProtoField.bool("shockburst.no_ack", "No acknowledgement requested"),
  payload = ProtoField.bytes("shockburst.payload", "Payload"),
  retransmission = ProtoField.bool("shockburst.retransmission", "Retransmission"),
}
esb.fields = f

local e = {
  length = ProtoExpert.new("shockburst.wrong_length", "No address width agrees with the length field",
    expert.group.MALFORMED, expert.severity.ERROR),
}
esb.experts = e

esb.prefs.address_width = Pref.uint("Address width, bytes", 0, "3 to 5. 0: the one that agrees with the length field")

-- Retransmissions by frame number: identity and payload of the frame before on the same channel and address.
-- Found while Wireshark reads the file in order, and kept when a frame is shown again.
local last, repeated = {}, {}

function esb.init()
  last, repeated = {}, {}
end

-- The address width, bytes, for which the length field is that of the rest; nil if there is none. The widest first:
-- 5 bytes are usual.
local function address_width(buffer)
  local set = esb.prefs.address_width
  for bytes = WIDEST, NARROWEST, -1 do
    local rest = buffer:len() - HEADER - bytes - CONTROL
    local is_asked = set == 0 or set == bytes
    if is_asked and rest >= 0 and bit.rshift(buffer(HEADER + bytes, CONTROL):le_uint(), 3) == rest then
      return bytes
    end
  end
end

local function is_retransmission(number, key, identity, payload)
  if repeated[number] == nil then
    local before = last[key]
    -- An acknowledgement with the same identity stands between the two, if it was sent.
    repeated[number] = before ~= nil and before.identity == identity and before.payload == payload
    last[key] = { identity = identity, payload = payload }
  end
  return repeated[number]
end

function esb.dissector(buffer, info, tree)
  if buffer:len() < HEADER + NARROWEST + CONTROL then
    return 0
  end
  info.cols.protocol = "ESB"
  local top = tree:add(esb, buffer())
  local channel = buffer(0, 1)
  top:add(f.channel, channel)
  top:add(f.frequency, channel, 2400 + channel:uint()):set_generated()
  top:add(f.crc, buffer(1, 1))
  top:add_le(f.rate, buffer(2, 2))

  local bytes = address_width(buffer)
  if bytes == nil then
    top:add_proto_expert_info(e.length)
    return buffer:len()
  end

  local address = {}
  for at = HEADER + bytes - 1, HEADER, -1 do
    table.insert(address, string.format("%02x", buffer(at, 1):uint()))
  end
  local name = table.concat(address, ":")
  top:add(f.address, buffer(HEADER, bytes), name)

  local control = buffer(HEADER + bytes, CONTROL)
  local value = control:le_uint()
  local length = bit.rshift(value, 3)
  local identity = bit.band(bit.rshift(value, 1), 3)
  local no_ack = bit.band(value, 1) == 1
  top:add(f.length, control, length)
  top:add(f.identity, control, identity)
  top:add(f.no_ack, control, no_ack)

  local begin = HEADER + bytes + CONTROL
  local words
  if length == 0 then
    words = string.format("Acknowledgement, identity %d", identity)
  else
    local payload = buffer(begin)
    top:add(f.payload, payload)
    local again = is_retransmission(info.number, channel:uint() .. " " .. name, identity, payload:bytes():tohex())
    top:add(f.retransmission, control, again):set_generated()
    words = string.format("%s, identity %d, %d bytes", again and "Retransmission" or "Data", identity, length)
  end
  info.cols.src, info.cols.dst = "", name
  info.cols.info = words
  return buffer:len()
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, esb)
