import type { ConversationChange, DeletedStatus, EndedCollectionItem, RevokedQuote } from './event-payloads.ts'
import type { UserEvents } from './user-events.ts'

/**
 * The domain events with their payloads, which are ids and what cannot be read from the database any more. Times are in
 * milliseconds since 1970. Each event must have a row in the effects table (`src/effects.ts`); otherwise compilation
 * fails.
 */
export interface Events extends UserEvents {
  /** `mediaKeys`: the files of replaced profile images. */
  'account.updated': { accountId: string; mediaKeys: string[] }
  /** An account opted in to or out of public search (`indexable`). */
  'account.indexable_changed': { accountId: string }
  /** A remote account has another handle or another profile page, which the statuses that mention it contain. */
  'account.handle_changed': { accountId: string }
  /** A remote account has another key, which its former key has not signed: its server may have lost its data. */
  'account.key_replaced': { accountId: string }
  'account.unlocked': { accountId: string }
  /** A remote account was fetched and recorded, for the first time or again. */
  'account.fetched': { accountId: string }
  /** An account has moved to another one, which has it as an alias. */
  'account.moved': { accountId: string; targetAccountId: string }
  /** A follow of a moved account was moved to the new account. */
  'follow.migrated': { accountId: string; targetAccountId: string }
  /** The staff limited an account or marked it as sensitive, or ended that. */
  'account.limit_changed': { accountId: string }
  /** A local account is to get a new key, if its key still has this version. */
  'account.key_rotation_requested': { accountId: string; version: number }
  /**
   * The staff suspended an account, or ended its suspension. `suspendedAt`: when a suspension that ended now had begun,
   * in milliseconds since 1970.
   */
  'account.suspension_changed': { accountId: string; suspendedAt?: number }
  /** A local account was deleted and is hidden. A Delete is to be delivered. `mediaKeys`: of its profile images. */
  'account.deleted': { accountId: string; mediaKeys: string[] }
  /** The data of a suspended account are to be deleted, because it was suspended 30 days ago. */
  'account.purge_due': { accountId: string }
  /**
   * A local or remote account was deleted and is hidden. Its rows are still to be purged. `returningUri`: of a remote
   * account that may be recorded again afterwards.
   */
  'account.purge_requested': { accountId: string; returningUri?: string }
  'account.followed': { accountId: string; targetAccountId: string }
  /**
   * A follow has ended, or a follow request that another server has received. `uri`: of the follow, if the follower
   * ended it; null if the follower did not, or both accounts are local.
   */
  'account.unfollowed': { accountId: string; targetAccountId: string; uri: string | null }
  /** Follows have ended, with nothing to deliver: the n-th account followed the n-th target account. */
  'follow.many_severed': { accountIds: string[]; targetAccountIds: string[] }
  'account.blocked': { accountId: string; targetAccountId: string }
  /** A user blocked remote accounts. */
  'account.many_blocked': { accountId: string; targetAccountIds: string[] }
  'account.unblocked': { accountId: string; targetAccountId: string; uri: string | null }
  'account.muted': { accountId: string; targetAccountId: string }
  'account.many_muted': { accountId: string; targetAccountIds: string[] }
  'account.unmuted': { accountId: string; targetAccountId: string }
  /**
   * A user blocked a domain (canonical ASCII) with its subdomains. Follows from and to it have ended or are ending,
   * each with its own event. Timelines filter out blocked domains when they are read; stored entries may be deleted
   * now. Notifications from it before an id are still to be deleted; null: none.
   */
  'user_domain_block.created': { accountId: string; domain: string; notificationsBefore: string | null }
  /** A user blocked domains without relationships to the user, and all notifications from them have been deleted. */
  'user_domain_block.many_created': { accountId: string; domains: string[] }
  'user_domain_block.deleted': { accountId: string; domain: string }
  'user_domain_block.many_deleted': { accountId: string; domains: string[] }
  /** The block of a domain and its subdomains was created or replaced. */
  'domain_block.updated': { domain: string; at: number }
  'domain_block.removed': { domain: string }
  /** The limits and suspensions of a domain's accounts after this id are to be brought in line with domain blocks. */
  'domain_block.accounts_due': { domain: string; after: string }
  /** The accounts of a domain have been brought in line with the domain blocks. */
  'domain_block.applied': { domain: string }
  /** The staff do not allow a domain any more. `at`: milliseconds since 1970. */
  'domain_allow.removed': { domain: string; at: number }
  /** The accounts of such a domain after this id, and its emojis, are to be removed. */
  'domain_allow.purge_due': { domain: string; at: number; after: string }
  /** Rows of an imported list of domain blocks are to be applied. `accountId`: who confirmed them; null: the console. */
  'domain_block_import.confirmed': { importId: string; accountId: string | null }
  /** An import of a user was confirmed, or is to continue. */
  'account_import.due': { accountId: string }
  /** An import of posts from an archive is confirmed, or continues. */
  'account_import.posts_due': { accountId: string }
  /** The posts of an import from an archive are to be deleted again. */
  'account_import.undo_due': { importId: string }
  /** A user has requested an archive of their data. */
  'account_archive.requested': { archiveId: string }
  /** An archive can be downloaded. */
  'account_archive.finished': { archiveId: string; accountId: string }
  /** The rows of archives, by the names of their files, were deleted with their account. */
  'account_archive.orphaned': { names: readonly string[] }
  /** Accounts that the owner follows or has requested to follow were added to a list. */
  'list.members_added': { accountId: string; listId: string; memberIds: readonly string[]; exclusive: boolean }
  /** Accounts were removed from a list, or the list was deleted. `exclusive`: it kept them out of the home feed. */
  'list.members_removed': { accountId: string; memberIds: readonly string[]; exclusive: boolean }
  /** A list keeps its members out of the home feed, or no longer. `memberIds`: those that the owner followed then. */
  'list.exclusivity_changed': { accountId: string; memberIds: readonly string[] }
  /** A user is active again whose feeds were pruned during inactivity. */
  'feeds.rebuild_requested': { accountId: string }
  'follow.requested': { accountId: string; targetAccountId: string }
  /** Local accounts have requested to follow remote accounts: the n-th account requested the n-th target account. */
  'follow.many_requested': { accountIds: string[]; targetAccountIds: string[] }
  /** A remote account's follow was accepted, and an Accept is to be delivered. `uri`: of its Follow activity. */
  'follow.accepted': { accountId: string; targetAccountId: string; uri: string | null }
  /** The Reject of a remote account's follow is to be delivered. `targetAccountId`: null for the instance actor. */
  'follow.rejected': { accountId: string; targetAccountId: string | null; uri: string | null }
  /** The time of a scheduled status has come. */
  'status.due': { scheduledId: string }
  'status.created': { statusId: string }
  /** A remote status was recorded that is too old for feeds and notifications. */
  'status.imported': { statusId: string }
  /** A delivered status names replies to it. */
  'replies.listed': { statusUri: string; replyUris: string[] }
  /** A user views the thread of a remote status, whose replies may not all be known. */
  'replies.refresh_requested': { refreshId: string }
  /** A stored direct status was delivered to the inbox of a further local account, which may read it now. */
  'status.reader_added': { statusId: string }
  /** The parent of a remote status was recorded after the status. */
  'status.parent_linked': { statusId: string }
  /**
   * `newlyMentionedIds`: accounts that it mentions now and did not before. `audienceChanged`: whether its mentions,
   * hashtags or language changed, which decide whose feeds contain it. `formerVoterIds`: remote accounts that voted in a
   * poll that was removed, one for each shared inbox.
   */
  'status.updated': {
    statusId: string
    newlyMentionedIds: string[]
    audienceChanged?: boolean
    formerVoterIds?: string[]
  }
  /** A remote status was updated, but not edited: its mentions, hashtags, language or other such details changed. */
  'status.described': { statusId: string; newlyMentionedIds: string[]; audienceChanged: boolean }
  /** The quote policy of a status or the state of its own quote changed, but not its content. */
  'status.quote_state_changed': { statusId: string; at: number }
  /** A QuoteRequest is to be delivered to the remote author of a quoted status (FEP-044f). */
  'quote.requested': { quoteId: string }
  /** A quote was approved by the quoted author. */
  'quote.accepted': { quoteId: string }
  /** A local author revoked the approval of a quote. */
  'quote.revoked': RevokedQuote
  /** A remote account's QuoteRequest was accepted, and an Accept is to be delivered. `uri`: of the request. */
  'quote.request_accepted': { quoteId: string; uri: string }
  /** A remote account's QuoteRequest was rejected. */
  'quote.request_rejected': {
    accountId: string
    targetAccountId: string
    uri: string
    quotedUri: string
    statusUri: string
  }
  'status.deleted': DeletedStatus
  /** A status with many reblogs was hidden, and the others are to be deleted. `isRetained`: the staff see the status. */
  'status.reblogs_due': { statusId: string; accountId: string; isRetained: boolean }
  /** Further reblogs of a deleted status by `accountId` were deleted. */
  'status.reblogs_deleted': { accountId: string; reblogs: DeletedStatus['reblogs'] }
  /** Conversations were marked as read or as unread, or lost their last status. */
  'conversations.changed': { changes: ConversationChange[] }
  /** An old status is to be deleted, if the policy of the author still applies to it (automated post deletion). */
  'status.cleanup_due': { accountId: string; statusId: string }
  /** Staff restored a status that staff had deleted. */
  'status.restored': { statusId: string }
  /** A page that statuses link to is to be fetched for its preview card. */
  'link.fetch_due': { linkId: string }
  /** The preview card of a link is known. */
  'link.fetched': { linkId: string }
  /** The content of a preview card changed. */
  'card.updated': { cardId: string }
  'status.pinned': { pinId: string; accountId: string; statusId: string }
  'status.unpinned': { pinId: string; accountId: string; statusId: string }
  'tag.unfollowed': { accountId: string; tagId: string }
  /** An account featured a hashtag on its profile. `name`: normalised. */
  'tag.featured': { featuredTagId: string; accountId: string; name: string }
  'tag.unfeatured': { featuredTagId: string; accountId: string; name: string }
  'status.favourited': { favouriteId: string; accountId: string; statusId: string }
  'status.unfavourited': { favouriteId: string; accountId: string; statusId: string }
  'status.reblogged': { accountId: string; statusId: string; reblogId: string }
  'status.unreblogged': { accountId: string; statusId: string; reblogId: string; uri: string }
  /** A poll ends about now, unless its end was changed. */
  'poll.due': { pollId: string }
  'poll.ended': { pollId: string; statusId: string }
  /** The local voters of an ended poll after this account are to be notified. */
  'poll.voters_due': { pollId: string; after: string }
  /** A local account voted in a remote poll. */
  'poll.voted': { accountId: string; voteIds: string[] }
  /** A local poll has new votes, and an Update is to be delivered. */
  'poll.votes_changed': { statusId: string }
  /** A video, an audio file or an animated GIF was uploaded and is to be converted. */
  'media.uploaded': { mediaId: string }
  /** Rows that referenced files were deleted. The files are still to be deleted. */
  'media.removed': { mediaKeys: string[] }
  /** The purge of the remote media cache was started, or is to continue. */
  'media.purge_due': Record<string, never>
  'collection.created': { collectionId: string }
  'collection.updated': { collectionId: string; wasDiscoverable: boolean }
  /** `featuredIds`: remote accounts that were in it or had a pending request. */
  'collection.deleted': { accountId: string; uri: string; discoverable: boolean; featuredIds: string[] }
  /** A request for approval is to be delivered to a remote account that was added to a collection. */
  'collection.item_requested': { itemId: string }
  /** An account in a collection has approved it. */
  'collection.item_accepted': { itemId: string }
  'collection.item_removed': EndedCollectionItem
  /** A remote request to feature a local account in a collection was accepted. `uri`: of the request. */
  'collection.feature_request_accepted': { itemId: string; uri: string }
  /** A remote request to feature a local account in a collection was rejected. */
  'collection.feature_request_rejected': {
    accountId: string
    targetAccountId: string
    uri: string
    collectionUri: string
  }
  'annual_report.requested': { refreshId: string }
  /** An account was reported. `forwardTo`: the domains that the report is forwarded to. */
  'report.created': { reportId: string; forwardTo: string[] }
  /** A user has appealed against a strike. */
  'appeal.created': { appealId: string }
  /** The staff have approved or rejected an appeal. */
  'appeal.decided': { appealId: string }
  'report.updated': { reportId: string }
  /** Open registrations were changed to approval mode, because no moderator was active. */
  'registrations.closed_automatically': { at: number }
  /** The staff requested that the retention policy is applied now. */
  'retention.run_requested': Record<string, never>
  'announcement.published': { announcementId: string }
  /** The staff changed a published announcement. */
  'announcement.updated': { announcementId: string }
  /** The time of a scheduled announcement has come. */
  'announcement.due': { announcementId: string }
  /** An announcement has ended, was removed, or was unpublished. */
  'announcement.ended': { announcementId: string }
  /** A reaction was added or removed. `name`: an emoji, or the shortcode of a custom one. */
  'announcement.reactions_changed': { announcementId: string; name: string }
  'notification.created': { notificationId: string }
  /** A push of a notification is due. `attempts`: how many attempts came before. */
  'push.due': { notificationId: string; subscriptionId: string; attempts: number }
  /** The recipient gets mails about notifications of this type, and has had time to read it without one. */
  'notification.mail_due': { notificationId: string }
  /** Notifications of an account are accepted regardless of the notification policy, including filtered ones. */
  'notification_request.accepted': { accountId: string; fromAccountId: string }
  /** Relationships of a local account were severed by moderation or by a domain block. */
  'relationships.severed': { severanceId: string }
  /** Staff took a moderation action against a local account or its statuses, of which it is to be notified. */
  'account.warning_created': { warningId: string }
  'filters.changed': { accountId: string }
  /** An activity of another server was received and is to be processed. */
  'activity.received': { activityId: string }
  /** The server of a remote account names other local followers of it than this one (FEP-8fcf). */
  'followers.differ': { accountId: string; url: string; digest: string }
  /** A relay was added, to which the server is to subscribe. */
  'relay.added': { relayId: string }
  'relay.removed': { relayId: string; inboxUrl: string }
  /** Deliveries to a host are due. */
  'deliveries.due': { domain: string }
  /** Inboxes do not exist any more, according to the responses to deliveries. */
  'deliveries.inboxes_missing': { inboxUrls: readonly string[] }
  'mail.enqueued': { mailId: string }
  /** A member of the staff requested a mail that shows whether mails arrive. */
  'mail.test_requested': { accountId: string; requestId: string }
  /** A member of the staff requested the mail about new terms of service that users would get. */
  'terms.test_requested': { accountId: string; effectiveDate: string; requestId: string }
  /** The users after this id are to be notified of new terms of service. */
  'terms.notification_due': { effectiveDate: string; after: string }
  'tokens.revoked': { tokenIds: string[] }
  /** An attempt of a delivery to a webhook is due. `attempts`: how many attempts came before. */
  'webhook_delivery.due': { deliveryId: string; attempts: number }
  'clock.minutely': Record<string, never>
  'clock.five_minutely': Record<string, never>
  'clock.hourly': Record<string, never>
}

export type EventName = keyof Events

/**
 * Emits an event: inserts the jobs of its effects in the same transaction. `at`: the time at which the jobs become due;
 * by default now.
 */
export type Emit = <Name extends EventName>(name: Name, payload: Events[Name], at?: Date) => void
