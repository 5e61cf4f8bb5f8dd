import type { Bus } from '../../platform/bus/bus.ts'

/**
 * Messages on the bus for the streaming API. They carry ids; each process with connections loads and renders the
 * objects.
 */
export interface HomeMessage {
  event: 'update' | 'delete'
  statusId: string
  accountIds: string[]
}

/**
 * A status was deleted. Recipients are its author, the author's followers, and mentioned accounts. A deletion with many
 * mentions or hashtags has several messages.
 */
export interface DeletionMessage {
  statusId: string
  authorId: string
  /** Of a reblog: the author of the reblogged status. */
  rebloggedAuthorId?: string | null
  /** Whether the author receives the message. */
  toAuthor: boolean
  /** false for a direct status: only the author and the mentioned accounts receive the message. */
  toFollowers: boolean
  /** Whether the public streams receive the message. */
  toPublic: boolean
  /** Whether the author is a local account. */
  local: boolean
  /** Of a public status: normalised names of hashtags, whose streams and followers receive the message. */
  tags: string[]
  mentionedIds: string[]
}

/** A status was edited. Recipients are those who may have received it, and mentioned accounts. */
interface EditMessage {
  statusId: string
}

interface PublicMessage {
  statusId: string
}

export interface NotificationMessage {
  notificationId: string
  accountId: string
}

/** A user's conversation has a new status, lost its last one, or was marked as read or as unread. */
export interface ConversationMessage {
  conversationId: string
  accountId: string
}

/** A status was added to the timelines of lists. */
interface ListMessage {
  statusId: string
  listIds: string[]
}

/** Accepted notification requests were merged into a user's notifications. */
interface MergeMessage {
  accountId: string
}

interface FilterMessage {
  accountId: string
}

/** An announcement was published or removed. Recipients are all connected users. */
interface AnnouncementMessage {
  event: 'announcement' | 'announcement.delete'
  announcementId: string
}

interface ReactionMessage {
  announcementId: string
  name: string
}

interface RevocationMessage {
  tokenIds: string[]
}

/** The topics with the types of their messages. */
export interface StreamTopics {
  'stream.home': HomeMessage
  'stream.public': PublicMessage
  'stream.edited': EditMessage
  'stream.deleted': DeletionMessage
  'stream.notification': NotificationMessage
  'stream.conversation': ConversationMessage
  'stream.lists': ListMessage
  'stream.notifications_merged': MergeMessage
  'stream.filters': FilterMessage
  'stream.announcement': AnnouncementMessage
  'stream.reaction': ReactionMessage
  'stream.revoked': RevocationMessage
}

/** How many ids fit into one message of the bus. */
const IDS_PER_MESSAGE = 300

/** How many bytes of hashtags fit into one message, beside that number of ids. A hashtag has less than 800. */
const TAG_BYTES_PER_MESSAGE = 1_000

/**
 * Publishes a message. Resolves when it was sent; effects must await that, since a message after their end could be
 * lost.
 */
export async function publishMessage<Topic extends keyof StreamTopics>(
  bus: Bus,
  topic: Topic,
  message: StreamTopics[Topic],
): Promise<void> {
  return bus.publish(topic, message)
}

/** Calls the listener for each message of a topic. Returns a function that unsubscribes. */
export function subscribeToTopic<Topic extends keyof StreamTopics>(
  bus: Bus,
  topic: Topic,
  listener: (message: StreamTopics[Topic]) => void,
): () => void {
  return bus.subscribe(topic, (message) => listener(message as StreamTopics[Topic]))
}

/** Publishes to the home streams of accounts, in as many messages as necessary. */
export async function publishToHomes(bus: Bus, { event, statusId, accountIds }: HomeMessage): Promise<void> {
  const messages = chunkIds(accountIds).map((chunk) => ({ event, statusId, accountIds: chunk }))
  await Promise.all(messages.map(async (message) => publishMessage(bus, 'stream.home', message)))
}

/** Publishes to the streams of lists, in as many messages as necessary. */
export async function publishToLists(bus: Bus, { statusId, listIds }: ListMessage): Promise<void> {
  const messages = chunkIds(listIds).map((chunk) => ({ statusId, listIds: chunk }))
  await Promise.all(messages.map(async (message) => publishMessage(bus, 'stream.lists', message)))
}

/** Splits ids into chunks that fit into one message. */
export function chunkIds(ids: readonly string[]): string[][] {
  const chunks: string[][] = []
  for (let from = 0; from < ids.length; from += IDS_PER_MESSAGE) chunks.push(ids.slice(from, from + IDS_PER_MESSAGE))
  return chunks
}

/** Splits hashtags into chunks that fit into one message, beside a chunk of ids. */
export function chunkTags(tags: readonly string[]): string[][] {
  const chunks: string[][] = []
  let bytes = TAG_BYTES_PER_MESSAGE
  for (const tag of tags) {
    const size = Buffer.byteLength(JSON.stringify(tag)) + 1
    if (bytes + size > TAG_BYTES_PER_MESSAGE) {
      chunks.push([])
      bytes = 0
    }
    chunks.at(-1)!.push(tag)
    bytes += size
  }
  return chunks
}
