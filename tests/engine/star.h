/* Platforms whose accelerators stand around main memory, as text for script_platform. */
#ifndef STAR_H
#define STAR_H

#define ACCELERATOR(n)                                                                                \
	"<host id='G" n "' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GiB'/>" \
	"<prop id='peer' value='yes'/></host>"
#define RAM_TWO "<host id='RAM' speed='1f'/>" ACCELERATOR("0") ACCELERATOR("1")
#define RAM_THREE RAM_TWO ACCELERATOR("2")
#define LINK(id, bandwidth, latency) "<link id='" id "' bandwidth='" bandwidth "' latency='" latency "'/>"
#define FATPIPE(id, bandwidth, latency) \
	"<link id='" id "' bandwidth='" bandwidth "' latency='" latency "' sharing_policy='FATPIPE'/>"
#define BRIDGE(id, bandwidth, shared, latency)                               \
	"<link id='" id "' bandwidth='" bandwidth "' latency='" latency "'>" \
	"<prop id='shared_bandwidth' value='" shared "'/></link>"
#define TO(n, links) "<route src='RAM' dst='G" n "'>" links "</route>"
#define VIA(id) "<link_ctn id='" id "'/>"
#define ONE_LINK RAM_TWO LINK("a", "1GBps", "10us") TO("0", VIA("a")) TO("1", VIA("a"))

enum { RAM, G0, G1, G2 }; /* memories */

#endif
