// ns-3's lr-wpan: acknowledged IEEE 802.15.4 data frames to one coordinator, as quickly as the
// machine can. One node asks for the next frame as soon as the last is confirmed; several send one
// a second each, at offsets spread evenly over that second.
//
//   lr_wpan NODES FRAMES     NODES counts the senders; prints one line of JSON
//
// Written against ns-3.37 as Debian packages it (libns3-dev).

#include <chrono>
#include <iostream>
#include <vector>

#include "ns3/constant-position-mobility-model.h"
#include "ns3/core-module.h"
#include "ns3/lr-wpan-module.h"
#include "ns3/network-module.h"
#include "ns3/propagation-module.h"
#include "ns3/single-model-spectrum-channel.h"

using namespace ns3;

namespace
{

constexpr uint16_t PAN = 0x1234;
constexpr uint32_t PAYLOAD = 12;

struct Exchange
{
    uint64_t wanted;
    uint64_t asked = 0;
    uint64_t confirmed = 0;
    uint64_t arrived = 0;
    bool alone;

    void Ask(Ptr<LrWpanNetDevice> sender)
    {
        if (asked == wanted)
        {
            return;
        }
        McpsDataRequestParams request;
        request.m_srcAddrMode = SHORT_ADDR;
        request.m_dstAddrMode = SHORT_ADDR;
        request.m_dstPanId = PAN;
        request.m_dstAddr = Mac16Address("00:01");
        request.m_msduHandle = 0;
        request.m_txOptions = TX_OPTION_ACK;
        ++asked;
        sender->GetMac()->McpsDataRequest(request, Create<Packet>(PAYLOAD));
        if (!alone)
        {
            Simulator::Schedule(Seconds(1), &Exchange::Ask, this, sender);
        }
    }

    void Confirm(Ptr<LrWpanNetDevice> sender, McpsDataConfirmParams outcome)
    {
        confirmed += outcome.m_status == IEEE_802_15_4_SUCCESS;
        if (alone)
        {
            Ask(sender);
        }
    }

    void Indicate(McpsDataIndicationParams, Ptr<Packet>)
    {
        ++arrived;
    }
};

Ptr<LrWpanNetDevice>
Join(Ptr<SpectrumChannel> channel, uint16_t address, double x)
{
    auto node = CreateObject<Node>();
    auto device = CreateObject<LrWpanNetDevice>();
    device->SetChannel(channel);
    const uint8_t octets[2] = {uint8_t(address >> 8), uint8_t(address)};
    Mac16Address own;
    own.CopyFrom(octets);
    device->SetAddress(own);
    device->GetMac()->SetPanId(PAN);
    node->AddDevice(device);
    auto place = CreateObject<ConstantPositionMobilityModel>();
    place->SetPosition(Vector(x, 0, 0));
    device->GetPhy()->SetMobility(place);
    return device;
}

} // namespace

int
main(int count, char** words)
{
    if (count != 3)
    {
        std::cerr << "lr_wpan: two numbers are wanted: NODES FRAMES\n";
        return 2;
    }
    const auto nodes = static_cast<uint16_t>(std::stoul(words[1]));
    Exchange exchange{std::stoull(words[2])};
    exchange.alone = nodes == 1;

    auto channel = CreateObject<SingleModelSpectrumChannel>();
    channel->AddPropagationLossModel(CreateObject<LogDistancePropagationLossModel>());
    channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
    auto coordinator = Join(channel, 1, 0);
    coordinator->GetMac()->SetMcpsDataIndicationCallback(
        MakeCallback(&Exchange::Indicate, &exchange));
    std::vector<Ptr<LrWpanNetDevice>> senders;
    for (uint16_t nth = 0; nth < nodes; ++nth)
    {
        auto sender = Join(channel, nth + 2, 1);
        sender->GetMac()->SetMcpsDataConfirmCallback(
            MakeCallback(&Exchange::Confirm, &exchange).Bind(sender));
        Simulator::Schedule(Seconds(1) + Seconds(double(nth) / nodes),
                            &Exchange::Ask,
                            &exchange,
                            sender);
        senders.push_back(sender);
    }

    const auto began = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::cout << "{\"seconds\": " << took.count() << ", \"asked\": " << exchange.asked
              << ", \"confirmed\": " << exchange.confirmed << ", \"arrived\": " << exchange.arrived
              << ", \"events\": " << Simulator::GetEventCount() << "}\n";
    Simulator::Destroy();
    return 0;
}
