import { sql } from 'kysely'
import { recordRemoteAccount } from '../../src/domain/accounts/remote/record-remote-account.ts'
import type { RemoteAccountFacts } from '../../src/domain/accounts/remote/record-remote-account.ts'
import { recordRemoteStatus } from '../../src/domain/statuses/remote/record-remote-status.ts'
import type { RemoteStatusFacts } from '../../src/domain/statuses/remote/remote-status-facts.ts'
import type { BuilderCtx } from '../query-builder.ts'

/**
 * Records of remote accounts and statuses, as parsed and verified documents provide them; for tests without a network.
 */

export const HOST = 'https://far.test'

let count = 0

/** Returns a name that is unique within the process. */
export function uniqueName(prefix = 'x'): string {
  count += 1
  return `${prefix}${count}`
}

export function remoteAccountRecord(name: string, more: Partial<RemoteAccountFacts> = {}): RemoteAccountFacts {
  const uri = more.uri ?? `${HOST}/users/${name}`
  return {
    uri,
    url: `${HOST}/@${name}`,
    type: 'Person',
    handle: { username: name, domain: 'far.test' },
    displayName: name,
    note: '',
    fields: [],
    avatar: null,
    header: null,
    emojis: [],
    locked: false,
    discoverable: true,
    indexable: false,
    hideCollections: null,
    memorial: false,
    suspended: false,
    attributionDomains: [],
    showMedia: true,
    showMediaReplies: true,
    showFeatured: true,
    featurePolicy: null,
    movedTo: null,
    alsoKnownAs: [],
    publishedAt: new Date('2020-02-03T04:05:06Z'),
    inboxUrl: `${uri}/inbox`,
    sharedInboxUrl: `${HOST}/inbox`,
    outboxUrl: null,
    followersUrl: `${uri}/followers`,
    followingUrl: null,
    featuredUrl: null,
    featuredTagsUrl: null,
    keys: [{ id: `${uri}#main-key`, pem: `key of ${name}` }],
    statusesCount: null,
    followersCount: null,
    followingCount: null,
    ...more,
  }
}

/** Records a remote account, and returns its id. */
export async function createRemoteAccount(ctx: BuilderCtx, more: Partial<RemoteAccountFacts> = {}): Promise<string> {
  const { accountId } = await ctx.write((tx) => recordRemoteAccount(tx, remoteAccountRecord(uniqueName('far'), more)))
  return accountId
}

type StatusOverrides = Partial<RemoteStatusFacts> & { accountId: string }

export function remoteStatusRecord(more: StatusOverrides): RemoteStatusFacts {
  const uri = more.uri ?? `${HOST}/statuses/${uniqueName()}`
  return {
    uri,
    url: `${uri}.html`,
    visibility: 'public',
    content: '<p>from afar</p>',
    spoilerText: '',
    sensitive: false,
    language: null,
    inReplyTo: null,
    conversation: null,
    publishedAt: null,
    updatedAt: null,
    mentionedIds: [],
    silentIds: [],
    readerId: null,
    replyUris: [],
    hashtags: new Map(),
    emojis: [],
    attachments: [],
    attachedPages: [],
    poll: null,
    quote: null,
    quoteAutomatic: [],
    quoteManual: [],
    repliesCount: null,
    likesCount: null,
    sharesCount: null,
    ...more,
  }
}

/** Records a remote status, and returns its id. */
export async function createRemoteStatus(ctx: BuilderCtx, more: StatusOverrides): Promise<string> {
  const { statusId } = await ctx.write((tx) => recordRemoteStatus(tx, remoteStatusRecord(more)))
  return statusId
}

/** Creates accounts of a server that does not exist, each with an avatar that is not cached. Returns their ids. */
export async function createAccountsWithAvatars(
  { db }: Pick<BuilderCtx, 'db'>,
  { count }: { count: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into accounts (username, domain, uri, url, avatar_remote_url)
    select 'face' || n, 'gone.test', 'https://gone.test/' || n, 'https://gone.test/' || n, 'https://gone.test/' || n || '.png'
    from generate_series(1, ${count}::int) n returning id`.execute(db)
  return rows.map(({ id }) => id)
}
