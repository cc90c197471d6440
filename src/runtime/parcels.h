/* Messages of a node of a cluster, for messages.c, network.c, buffers.c and direct.c alone. */
#ifndef TW__PARCELS_H
#define TW__PARCELS_H

#include "base/heap.h"
#include "base/memory.h"
#include "runtime/messages.h"

struct parcels {
	struct tw__parcel *first, *last;
};

/* One end of a message. */
struct tw__parcel {
	struct hold hold;
	tw__access access;
	int32_t message;
	bool has_requested, moves; /* moves: the transfer has begun */
	tw__ns ready_at;
	struct tw__heap_item unpinned; /* item of messages.unpinned */
	struct parcels *in;
	struct tw__parcel *before, *next; /* in the list; `next` also links unused ones */
};

struct messages {
	struct driver *driver;
	struct driver **at; /* [nodes] direct.c; NULL: messages leave from main memory, and go to it */
	/* They wait for a pinned buffer. Where ends take room, they wait for the other end's task before that. */
	struct parcels announced;
	struct parcels posted; /* their handles are not there */
	struct parcels ready;  /* they wait for the other end, or for the end of the transfer */
	struct parcels ended;  /* their transfers have ended */
	struct tw__parcel *unused;
	struct tw__arena memory;
	struct tw__heap unpinned; /* receives that wait for a pinned buffer: by priority, then by age */
	uint64_t *has_buffer;     /* set of the handles that have a buffer, or wait for one */
	uint64_t chunk_left;      /* bytes of the last pinned chunk that no buffer has */
	tw__ns pins_until;        /* when that chunk is pinned */
};

/* Functions of direct.c: */
void tw__direct_open(struct tw__rt *);
/* Whether the message may leave from where its handle is. Nothing is requested then, and the copy is pinned only when
 * the transfer begins: pins of messages that wait for their receivers might stall the run. */
bool tw__direct_may_leave(const struct tw__rt *, const struct tw__parcel *);
/* Pins the copy that the message leaves from. False: it may leave from none any more. */
bool tw__direct_leaves(struct tw__rt *, struct tw__parcel *);
/* Lets a receive go to a card if one is to read it, and has room for it. */
void tw__direct_choose(struct tw__rt *, struct tw__parcel *);
/* Whether a receive has lost its room on a card. It has to go (tw__message_go) to main memory then. */
bool tw__direct_has_lost(struct tw__rt *, struct tw__parcel *);

/* Functions of buffers.c: */
/* Whether this end receives a handle that has no pinned buffer; lets the workers pin one. */
bool tw__buffer_lacks(const struct tw__rt *, const struct tw__parcel *);
void tw__buffer_want(struct tw__rt *, struct tw__parcel *);

static inline void parcel_append(struct parcels *list, struct tw__parcel *p)
{
	p->in = list;
	p->next = NULL;
	p->before = list->last;
	*(list->last ? &list->last->next : &list->first) = p;
	list->last = p;
}

static inline void parcel_take_out(struct tw__parcel *p)
{
	*(p->before ? &p->before->next : &p->in->first) = p->next;
	*(p->next ? &p->next->before : &p->in->last) = p->before;
}

static inline void parcel_move(struct tw__parcel *p, struct parcels *to)
{
	parcel_take_out(p);
	parcel_append(to, p);
}

#endif
