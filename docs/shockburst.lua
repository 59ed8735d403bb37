-- Enhanced ShockBurst in Wireshark: frames of nRF24 radios and their successors, as `airlag run --sniff` records them.
--
--     tshark -X lua_script:shockburst.lua -r FILE.pcapng
--
-- No link type is registered for these frames. The file uses LINKTYPE_USER0 with this layout (docs/formats.md):
--
--     channel, 1 B | CRC bytes, 1 B | kbit/s, 2 B LE | address, 3 to 5 B, LSB first | control, 2 B LE | payload
--
-- The control field has the length of the payload in bits 10:3, the identity in bits 2:1, and NO_ACK in bit 0.

local HEADER = 4
local CONTROL = 2

local shockburst = Proto("shockburst", "Enhanced ShockBurst")

local channel = ProtoField.uint8("shockburst.channel", "Channel, MHz above 2400", base.DEC)
local frequency = ProtoField.uint16("shockburst.frequency", "Frequency, MHz", base.DEC)
local crc = ProtoField.uint8("shockburst.crc", "CRC bytes", base.DEC)
local rate = ProtoField.uint16("shockburst.rate", "Air data rate, kbit/s", base.DEC)
local address = ProtoField.string("shockburst.address", "Address")
local length = ProtoField.uint16("shockburst.length", "Payload length, bytes", base.DEC, nil, 0x07f8)
local identity = ProtoField.uint16("shockburst.identity", "Packet identity", base.DEC, nil, 0x0006)
local no_ack = ProtoField.bool("shockburst.no_ack", "No acknowledgement requested", 16, nil, 0x0001)
shockburst.fields = { channel, frequency, crc, rate, address, length, identity, no_ack }

local wrong_length =
    ProtoExpert.new("shockburst.wrong_length", "No address width fits the length field", expert.group.MALFORMED, expert.severity.ERROR)
shockburst.experts = { wrong_length }

shockburst.prefs.address_width =
    Pref.uint("Address width, bytes", 0, "3 to 5. 0: the width with which the length field is that of the payload")

-- Whether a frame with an address of `width` bytes has as much payload as its length field states.
local function fits(frame, width)
    local payload = frame:len() - HEADER - width - CONTROL
    return payload >= 0 and math.floor(frame(HEADER + width, CONTROL):le_uint() / 8) == payload
end

-- Width of the address, bytes, or nil if none fits.
local function width_of(frame)
    local set = shockburst.prefs.address_width
    for width = 5, 3, -1 do
        if (set == 0 or set == width) and fits(frame, width) then
            return width
        end
    end
    return nil
end

function shockburst.dissector(frame, packet, tree)
    packet.cols.protocol = "ShockBurst"
    local branch = tree:add(shockburst, frame())
    if frame:len() < HEADER then
        branch:add_proto_expert_info(wrong_length)
        return frame:len()
    end
    branch:add(channel, frame(0, 1))
    branch:add(frequency, frame(0, 1), 2400 + frame(0, 1):uint()):set_generated()
    branch:add(crc, frame(1, 1))
    branch:add_le(rate, frame(2, 2))
    local width = width_of(frame)
    if not width then
        branch:add_proto_expert_info(wrong_length)
        return frame:len()
    end
    -- Data sheets and programs write an address with its most significant byte first.
    local bytes = {}
    for at = width - 1, 0, -1 do
        bytes[#bytes + 1] = string.format("%02x", frame(HEADER + at, 1):uint())
    end
    local to = table.concat(bytes, ":")
    branch:add(address, frame(HEADER, width), to)
    local control = frame(HEADER + width, CONTROL)
    branch:add_le(length, control)
    branch:add_le(identity, control)
    branch:add_le(no_ack, control)
    local payload = frame:len() - HEADER - width - CONTROL
    packet.cols.dst = to
    -- A receiver acknowledges with a packet to the same address, usually without a payload.
    local what = payload == 0 and "No payload, as an acknowledgement" or string.format("%d B", payload)
    packet.cols.info = string.format("%s, identity %d", what, math.floor(control:le_uint() / 2) % 4)
    if payload > 0 then
        Dissector.get("data"):call(frame(HEADER + width + CONTROL):tvb(), packet, tree)
    end
    return frame:len()
end

DissectorTable.get("wtap_encap"):add((wtap_encaps or wtap).USER0, shockburst)
