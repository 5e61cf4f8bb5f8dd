/**
 * A block recounts the replies that one account wrote to another. The index before contained only the recipient, so all
 * replies to a popular author were read for each account that the author blocks.
 */
export const concurrentIndexes = [
  `create index concurrently if not exists statuses_replies_between on statuses (in_reply_to_account_id, account_id)
   where in_reply_to_account_id is not null`,
]
