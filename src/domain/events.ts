/**
 * Everything that can happen, in the past tense, with the ids that tell where to look.
 * Each event has its row in the switchboard (`src/effects.ts`); one without a row does not compile.
 */
export interface Events {
  'account.signed_up': { accountId: string }
  'account.confirmation_asked': { accountId: string }
  /** Somebody else wanted to use this account's e-mail address. */
  'account.address_tried': { accountId: string }
  'account.confirmed': { accountId: string }
  /** Somebody wants another address instead of the one that they have; `at`: when, in milliseconds. */
  'account.email_change_asked': { accountId: string; email: string; newEmail: string; at: number }
  /** A user confirmed another address, which has replaced the former one; `at`: when, in milliseconds. */
  'account.email_changed': { accountId: string; formerEmail: string; newEmail: string; at: number }
  /** Somebody asked for a new password for an address, which may be nobody's; `at`: when, in milliseconds. */
  'account.password_forgotten': { email: string; at: number }
  'account.password_changed': { accountId: string; at: number }
  /** `mediaKeys`: files that it no longer shows. */
  'account.updated': { accountId: string; mediaKeys: string[] }
  /** Somebody lets everybody search what they write in public, or not any more. */
  'account.indexable_changed': { accountId: string }
  'account.unlocked': { accountId: string }
  /** What another server says of somebody of its own was asked for and recorded, for the first time or anew. */
  'account.fetched': { accountId: string }
  /** Somebody has moved to another account, which says the same. */
  'account.moved': { accountId: string; targetAccountId: string }
  /** Somebody follows the new account of somebody whom they followed. */
  'follow.carried': { accountId: string; targetAccountId: string }
  /** Somebody of here was deleted: nobody sees them any more. Others are to hear it. `mediaKeys`: of their pictures. */
  'account.deleted': { accountId: string; mediaKeys: string[] }
  /** Somebody was deleted, elsewhere or here, and nobody sees them any more; what they did is still to go. */
  'account.removed': { accountId: string }
  'account.followed': { accountId: string; targetAccountId: string }
  /**
   * A follow has ended, or a request that another server knows of. `uri`: of the follow, when the follower ended it;
   * null when it was not the follower, or both are of here.
   */
  'account.unfollowed': { accountId: string; targetAccountId: string; uri: string | null }
  'account.blocked': { accountId: string; targetAccountId: string }
  'account.unblocked': { accountId: string; targetAccountId: string; uri: string | null }
  'account.muted': { accountId: string; targetAccountId: string }
  'account.unmuted': { accountId: string; targetAccountId: string }
  /**
   * Somebody blocks a domain: canonical ASCII, everything below it too. Follows there and from there have ended or are
   * ending, each with its own event. Timelines leave out by themselves whoever is of a blocked domain; whoever keeps
   * what came from there may throw it away now.
   */
  'domain.blocked': { accountId: string; domain: string }
  'domain.unblocked': { accountId: string; domain: string }
  /** There is a rule for a server and all below its domain, in the place of the one that it had; `at`: when, in milliseconds. */
  'domain.rule_set': { domain: string; at: number }
  /** Somebody came onto a list, whom its owner follows or asked to follow. */
  'list.members_added': { accountId: string; listId: string; memberIds: readonly string[]; exclusive: boolean }
  /** Somebody was taken off a list, or the list is gone with them. `exclusive`: it kept them out of the home feed. */
  'list.members_removed': { accountId: string; memberIds: readonly string[]; exclusive: boolean }
  'list.exclusivity_changed': { accountId: string; listId: string }
  /** Somebody is back whose feeds were dropped while they were away. */
  'feeds.asked': { accountId: string }
  'follow.requested': { accountId: string; targetAccountId: string }
  /** Somebody of another server follows somebody here, and their server is to hear it. `uri`: of their activity. */
  'follow.authorised': { accountId: string; targetAccountId: string; uri: string | null }
  /** Somebody of another server does not follow somebody here, or no longer, and their server is to hear it. */
  'follow.rejected': { accountId: string; targetAccountId: string; uri: string | null }
  /** The moment for which a status was written. */
  'status.due': { scheduledId: string }
  'status.posted': { statusId: string }
  /** A status of another server was found that is no news any more. */
  'status.imported': { statusId: string }
  /** Somebody looks at the thread of a status of another server, whose replies may not all be known here. */
  'replies.asked': { refreshId: string }
  /** What a status of another server answers was found after it. */
  'status.joined_thread': { statusId: string }
  /**
   * `newlyMentionedIds`: whom it mentions now and did not before. `formerVoterIds`: people elsewhere who voted in a poll
   * that it has not any more; of those who share an inbox, one.
   */
  'status.edited': { statusId: string; newlyMentionedIds: string[]; formerVoterIds?: string[] }
  /** Not what a status says, but who may quote it, or what became of its own quote. `at`: when, in milliseconds. */
  'status.quoting_changed': { statusId: string; at: number }
  /** Somebody elsewhere is to be asked whether they may be quoted. */
  'quote.requested': { quoteId: string }
  /** Somebody is quoted with their consent. */
  'quote.accepted': { quoteId: string }
  /** Somebody here took back their consent. */
  'quote.revoked': RevokedQuote
  /** Somebody elsewhere quotes somebody here, and their server is to hear that they may. `uri`: of the request. */
  'quote.authorised': { quoteId: string; uri: string }
  /** They may not. */
  'quote.refused': { accountId: string; targetAccountId: string; uri: string; quotedUri: string; statusUri: string }
  'status.deleted': DeletedStatus
  /** A page that statuses link to is to be looked at. */
  'link.due': { linkId: string }
  /** It is known what a link leads to. */
  'link.settled': { linkId: string }
  /** What is shown of a page is something else than before. */
  'card.changed': { cardId: string }
  'status.pinned': { pinId: string; accountId: string; statusId: string }
  'status.unpinned': { pinId: string; accountId: string; statusId: string }
  'tag.unfollowed': { accountId: string; tagId: string }
  /** A hashtag came onto somebody's profile, or left it. `name`: normalised. */
  'tag.featured': { featuredTagId: string; accountId: string; name: string }
  'tag.unfeatured': { featuredTagId: string; accountId: string; name: string }
  'status.favourited': { favouriteId: string; accountId: string; statusId: string }
  'status.unfavourited': { favouriteId: string; accountId: string; statusId: string }
  'status.boosted': { accountId: string; statusId: string; boostId: string }
  'status.unboosted': { accountId: string; statusId: string; boostId: string; uri: string }
  /** A poll comes to its end about now, unless that was moved. */
  'poll.due': { pollId: string }
  'poll.ended': { pollId: string; statusId: string }
  /** Somebody of here voted in a poll of another server. */
  'poll.voted': { accountId: string; voteIds: string[] }
  /** There are new votes in a poll of here, and other servers are to hear of them now. */
  'poll.tallied': { statusId: string }
  /** Rows of uploads are gone with whoever made them, and their files are still there. */
  /** A video, a sound or an animated GIF was uploaded, and waits for what is shown of it. */
  'media.uploaded': { mediaId: string }
  'media.removed': { mediaKeys: string[] }
  'collection.created': { collectionId: string }
  'collection.updated': { collectionId: string; wasDiscoverable: boolean }
  /** `featuredIds`: people elsewhere who were in it, or asked whether they want to be. */
  'collection.deleted': { accountId: string; uri: string; discoverable: boolean; featuredIds: string[] }
  /** Somebody elsewhere is to be asked whether they want to be in it. */
  'collection.item_requested': { itemId: string }
  /** Somebody is in a collection, with their consent. */
  'collection.item_accepted': { itemId: string }
  'collection.item_ended': EndedItem
  /** Somebody elsewhere has somebody of here in a collection, and their server is to hear that they may. `uri`: of the request. */
  'feature.authorised': { itemId: string; uri: string }
  /** They may not. */
  'feature.rejected': { accountId: string; targetAccountId: string; uri: string; collectionUri: string }
  'annual_report.asked': { refreshId: string }
  /** The moderators are told of somebody. `forwardTo`: the domains of other servers that are to hear it, too. */
  'report.made': { reportId: string; forwardTo: string[] }
  'announcement.published': { announcementId: string }
  /** It is over, or was taken away. */
  'announcement.ended': { announcementId: string }
  /** Somebody reacted to it, or took that back. `name`: an emoji, or the code of a custom one. */
  'announcement.reacted': { announcementId: string; name: string }
  'notification.created': { notificationId: string }
  /** A program is to be told of a notification now. `tries`: how often it was tried before. */
  'push.due': { notificationId: string; subscriptionId: string; tries: number }
  /** Whom it is for wants letters about its kind, and has had time to see it elsewhere. */
  'notification.mail_due': { notificationId: string }
  /** What somebody does is to be notified whatever the policy says, also what was held back before. */
  'notifications.accepted': { accountId: string; fromAccountId: string }
  /** Follows of somebody here have ended, all at once and not by their own hand. */
  'relationships.severed': { severanceId: string }
  /** The staff did something about somebody's account or posts, and they are to hear of it. */
  'account.warned': { warningId: string }
  'filters.changed': { accountId: string }
  /** An activity of another server was accepted and waits to be understood. */
  'activity.received': { activityId: string }
  /** Something waits to be sent to a host. */
  'deliveries.due': { domain: string }
  'mail.written': { mailId: string }
  'tokens.revoked': { tokenIds: string[] }
  'clock.minutely': Record<string, never>
  'clock.five_minutely': Record<string, never>
  'clock.hourly': Record<string, never>
}

/** What must be known of a status after it is gone. */
export interface DeletedStatus {
  statusId: string
  uri: string
  /** Whether it was of here. */
  local: boolean
  /** Whether it was never shown to other servers. */
  localOnly: boolean
  accountId: string
  visibility: string
  mentionedIds: string[]
  /** The normalised names of its hashtags. */
  tags: string[]
  boosts: { id: string; accountId: string }[]
  /**
   * Of a status of here: people elsewhere whom it reached beside the followers, since it named them or they answered,
   * favourited or boosted it; of those who share an inbox, one.
   */
  reachedIds: string[]
  mediaKeys: string[]
}

/** What other servers are told of a quote that somebody here does not agree to any more. */
interface RevokedQuote {
  /** The status that quotes, and its author. */
  statusId: string
  statusUri: string
  accountId: string
  quotedId: string
  quotedAccountId: string
  quotedUri: string
  /** Of the consent. */
  approvalUri: string
}

/** What must be known of somebody's place in a collection after it is gone. */
export interface EndedItem {
  itemId: string
  /** Whom it featured; null: nobody who is known here. */
  accountId: string | null
  collectionId: string
  ownerId: string
  uri: string
  collectionUri: string
  /** Of the consent, if there was one. */
  approvalUri: string | null
  /** Whether everybody could see it in the collection. */
  wasAccepted: boolean
  /** Of the collection. */
  discoverable: boolean
}

export type EventName = keyof Events

/**
 * Records what happened; the jobs that follow are written in the same transaction. What becomes due only later has
 * `at`, and its jobs wait until then.
 */
export type Emit = <Name extends EventName>(name: Name, payload: Events[Name], at?: Date) => void
