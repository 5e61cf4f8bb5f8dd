import { sql } from 'kysely'
import { recordRemoteAccount } from '../src/domain/accounts/record-remote.ts'
import type { RemoteAccountFacts } from '../src/domain/accounts/record-remote.ts'
import { recordRemoteStatus } from '../src/domain/statuses/record-remote.ts'
import type { RemoteStatusFacts } from '../src/domain/statuses/record-remote.ts'
import type { BuilderCtx } from './query-builder.ts'

/** What other servers tell, as it is when their documents have been read and proven; for tests without a network. */

export const HOST = 'https://far.test'

let count = 0

/** A name that nobody else of a test file has. */
export function newName(prefix = 'x'): string {
  count += 1
  return `${prefix}${count}`
}

export function accountFacts(name: string, more: Partial<RemoteAccountFacts> = {}): RemoteAccountFacts {
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
    keys: [{ id: `${uri}#main-key`, pem: `key of ${name}` }],
    statusesCount: null,
    followersCount: null,
    followingCount: null,
    ...more,
  }
}

/** Somebody of another server who is known here. */
export async function makeRemote(ctx: BuilderCtx, more: Partial<RemoteAccountFacts> = {}): Promise<string> {
  const { accountId } = await ctx.write((tx) => recordRemoteAccount(tx, accountFacts(newName('far'), more)))
  return accountId
}

type StatusFacts = Partial<RemoteStatusFacts> & { accountId: string }

export function statusFacts(more: StatusFacts): RemoteStatusFacts {
  const uri = more.uri ?? `${HOST}/statuses/${newName()}`
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
    hashtags: new Map(),
    emojis: [],
    attachments: [],
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

/** A status of another server, recorded here. Returns its id. */
export async function makeRemoteStatus(ctx: BuilderCtx, more: StatusFacts): Promise<string> {
  const { statusId } = await ctx.write((tx) => recordRemoteStatus(tx, statusFacts(more)))
  return statusId
}

/** People of a server that is not there, each with a picture that nobody has asked for. Returns their ids. */
export async function makeFaces({ db }: Pick<BuilderCtx, 'db'>, { count }: { count: number }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into accounts (username, domain, uri, url, avatar_remote_url)
    select 'face' || n, 'gone.test', 'https://gone.test/' || n, 'https://gone.test/' || n, 'https://gone.test/' || n || '.png'
    from generate_series(1, ${count}::int) n returning id`.execute(db)
  return rows.map(({ id }) => id)
}
