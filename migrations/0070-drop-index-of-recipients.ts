/** The index of the migration before begins with the same column, so another one would only cost time for each reply. */
export const up = `drop index statuses_in_reply_to_account`
