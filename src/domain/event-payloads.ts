// The data of events that are more than a few ids.

/** The data of a deleted status that effects need. */
export interface DeletedStatus {
  statusId: string
  uri: string
  /** Whether it was a local status. */
  local: boolean
  /** Whether it was never federated. */
  localOnly: boolean
  /** When staff restored it before this deletion. */
  restoredAt?: number
  accountId: string
  visibility: string
  mentionedIds: string[]
  /** The normalised names of its hashtags. */
  tags: string[]
  /** Its reblogs that timelines of local users may contain. */
  reblogs: { id: string; accountId: string }[]
  /**
   * Of a local status: remote accounts beside the followers that received it, because it mentioned them or they replied
   * to, favourited or reblogged it; one for each shared inbox.
   */
  recipientIds: string[]
  /** Of a publicly visible reply: the local author of the parent, whose followers received it, too. */
  parentAuthorId?: string
  mediaKeys: string[]
}

/** An account's conversation that has changed. */
export interface ConversationChange {
  /** The id in `account_conversations`. */
  id: string
  accountId: string
}

/** The data of a quote whose approval was revoked, for delivery to other servers. */
export interface RevokedQuote {
  /** The quoting status; `accountId` is its author. */
  statusId: string
  statusUri: string
  accountId: string
  quotedId: string
  quotedAccountId: string
  quotedUri: string
  /** The URI of the approval (QuoteAuthorization). */
  approvalUri: string
}

/** The data of a removed collection item that effects need. */
export interface EndedCollectionItem {
  itemId: string
  /** The featured account; null: unknown. */
  accountId: string | null
  collectionId: string
  ownerId: string
  uri: string
  collectionUri: string
  /** The URI of the approval, if there was one. */
  approvalUri: string | null
  /** Whether it was accepted, and therefore visible in the collection. */
  wasAccepted: boolean
  /** Whether the collection is discoverable. */
  discoverable: boolean
}
