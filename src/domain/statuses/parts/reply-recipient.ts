interface ReplyParent {
  account_id: string | null
  in_reply_to_account_id: string | null
}

/**
 * Returns the id of the account replied to. For a self-reply to a reply, that is the account replied to by the parent.
 */
export function replyRecipient(parent: ReplyParent, accountId: string): string | null {
  return parent.account_id === accountId && parent.in_reply_to_account_id !== null
    ? parent.in_reply_to_account_id
    : parent.account_id
}
