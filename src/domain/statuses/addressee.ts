interface Parent {
  account_id: string | null
  in_reply_to_account_id: string | null
}

/** Whom a reply is for. Going on under one's own reply still speaks to the one whom that reply was for. */
export function addresseeOf(parent: Parent, accountId: string): string | null {
  return parent.account_id === accountId && parent.in_reply_to_account_id !== null
    ? parent.in_reply_to_account_id
    : parent.account_id
}
