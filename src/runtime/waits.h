/* Why a task or a request waits, in a run in which nothing is under way. */
#ifndef TW__WAITS_H
#define TW__WAITS_H

#include "runtime/state/state.h"

/* A held task or a request. Both NULL: nothing. */
struct tw__waiting {
	const struct hold *hold;
	const struct request *request;
};

/* A text that grows; what exceeds its room is cut. All zero: empty. */
struct tw__text {
	size_t at;
	char of[1000];
};

void tw__text_add(struct tw__text *, const char *format, ...) TW_PRINTF(2, 3);

/* "task 7 (gemm) on 'GPU0'" */
void tw__waiting_name(const struct tw__rt *, struct tw__waiting, struct tw__text *);
/* Adds why it waits, as the rest of a sentence about it. If another task or request must act first, the sentence ends
 * before its name, and it is returned. Otherwise the sentence is complete. */
struct tw__waiting tw__waiting_explain(const struct tw__rt *, struct tw__waiting, struct tw__text *);

#endif
