import type { Bus } from '../platform/bus.ts'

/** Hints for the streams, over the bus. They carry ids; whoever holds the sockets reads and renders what they name. */
export interface HomeNews {
  event: 'update' | 'delete'
  statusId: string
  accountIds: string[]
}

/** A status that followers of these people, and these people themselves, may have seen is gone. */
export interface DeletionNews {
  statusId: string
  authorId: string
  /** Of a boost: whose status it passed on. */
  boostedAuthorId?: string | null
  /** For a direct status nobody but the author and the mentioned. */
  toFollowers: boolean
  toPublic: boolean
  /** Whether the author is a local account. */
  local: boolean
  /** The normalised names of its hashtags. */
  tags: string[]
  mentionedIds: string[]
}

/** A status that says something else now, for those who may have seen it and those whom it mentions. */
interface EditNews {
  statusId: string
}

interface PublicNews {
  statusId: string
}

export interface NotificationNews {
  notificationId: string
  accountId: string
}

/** What somebody has of a talk among a few, which got something new. */
export interface ConversationNews {
  conversationId: string
  accountId: string
}

/** A status that came into the timelines of these lists. */
interface ListNews {
  statusId: string
  listIds: string[]
}

/** What the policy held back is among the rest by now. */
interface MergeNews {
  accountId: string
}

interface FilterNews {
  accountId: string
}

/** What everybody is told who listens. */
interface AnnouncementNews {
  event: 'announcement' | 'announcement.delete'
  announcementId: string
}

interface ReactionNews {
  announcementId: string
  name: string
}

interface RevocationNews {
  tokenIds: string[]
}

/** What is heard on each topic. */
export interface StreamTopics {
  'stream.home': HomeNews
  'stream.public': PublicNews
  'stream.edited': EditNews
  'stream.deleted': DeletionNews
  'stream.notification': NotificationNews
  'stream.conversation': ConversationNews
  'stream.lists': ListNews
  'stream.notifications_merged': MergeNews
  'stream.filters': FilterNews
  'stream.announcement': AnnouncementNews
  'stream.reaction': ReactionNews
  'stream.revoked': RevocationNews
}

/** So many ids fit into one message of the bus. */
const IDS_PER_MESSAGE = 300

/** Resolves when the news are out. An effect waits for that: of one that ends before it, nobody may ever hear. */
export async function tell<Topic extends keyof StreamTopics>(
  bus: Bus,
  topic: Topic,
  news: StreamTopics[Topic],
): Promise<void> {
  return bus.publish(topic, news)
}

export function hear<Topic extends keyof StreamTopics>(
  bus: Bus,
  topic: Topic,
  listener: (news: StreamTopics[Topic]) => void,
): () => void {
  return bus.subscribe(topic, (message) => listener(message as StreamTopics[Topic]))
}

/** Tells the streams of many people, in as many messages as that takes. */
export async function tellHomes(bus: Bus, { event, statusId, accountIds }: HomeNews): Promise<void> {
  const parts = inParts(accountIds).map((some) => ({ event, statusId, accountIds: some }))
  await Promise.all(parts.map(async (news) => tell(bus, 'stream.home', news)))
}

/** The same for the streams of lists. */
export async function tellLists(bus: Bus, { statusId, listIds }: ListNews): Promise<void> {
  const parts = inParts(listIds).map((some) => ({ statusId, listIds: some }))
  await Promise.all(parts.map(async (news) => tell(bus, 'stream.lists', news)))
}

/** Of so many ids at most that one message holds them. */
export function inParts(ids: readonly string[]): string[][] {
  const parts: string[][] = []
  for (let from = 0; from < ids.length; from += IDS_PER_MESSAGE) parts.push(ids.slice(from, from + IDS_PER_MESSAGE))
  return parts
}
