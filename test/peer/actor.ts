import { randomUUID } from 'node:crypto'
import { makeKeyPair } from '../../src/federation/signatures/keys.ts'
import type { KeyPair } from '../../src/federation/signatures/keys.ts'
import { createSigner } from '../../src/federation/signatures/sign.ts'
import type { SignatureSpec } from '../../src/federation/signatures/signature.ts'
import { createInbox } from './inbox.ts'
import type { Activity, PeerInbox, Received } from './inbox.ts'
import type { PeerCall, Reply, Via } from './reach.ts'

const CONTEXT = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1']
export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

export interface ActorTraits {
  type?: 'Person' | 'Service' | 'Group' | 'Organization' | 'Application'
  /** Made in a tenth of a second; many actors may share one. */
  keys?: KeyPair
  /** Joins the document, or takes from it what is undefined. */
  document?: Record<string, unknown>
}

interface SendOptions {
  /** The inbox. The shared one of the only server that the peer is connected to, where nothing is said. */
  to?: string
  via?: Via
  as?: SignatureSpec | 'unsigned'
  /** Whose key signs, if not the actor's own; `keyId` as its key is named in the signature. */
  signer?: { keyId: string; privateKey: KeyPair['privateKey'] }
  now?: Date
  headers?: Record<string, string>
  /** Changes the request after it was signed. */
  tamper?: (call: PeerCall) => void
}

export interface PeerActor {
  readonly username: string
  /** `bob@remote.test` */
  readonly handle: string
  readonly id: string
  readonly inboxUrl: string
  readonly followersUrl: string
  readonly keyId: string
  /** Changes with `rotateKey`. */
  keys: KeyPair
  /** What is served at `id`: change it freely. */
  document: Record<string, any>
  /** What came to this actor's own inbox, and to the shared one of the host. */
  readonly inbox: PeerInbox
  /** An activity with an id of its own, by this actor. It is not sent yet. */
  activity(type: string, object: unknown, fields?: Record<string, unknown>): Activity
  /** A public Note by this actor, served at its id. `fields` join it, or replace what is there. */
  note(fields?: Record<string, unknown>): Activity
  /** Signs and posts an activity; bytes and texts go as they are. */
  send(activity: Activity | string | Buffer, options?: SendOptions): Promise<Reply>
  /** A signed GET. */
  get(url: string, options?: Omit<SendOptions, 'to'>): Promise<Reply>
  /** Takes a new key under the same id; the document lists it at once. */
  rotateKey(): Promise<void>
}

/** What an actor needs of its host. */
export interface ActorHome {
  readonly origin: string
  readonly name: string
  serve(document: Activity): Activity
  call(call: PeerCall, via: Via | undefined): Promise<Reply>
  defaultInbox(): string
}

export interface HousedActor extends PeerActor {
  put(received: Received): void
}

export async function createActor(
  home: ActorHome,
  { username, type = 'Person', keys, document = {} }: ActorTraits & { username: string },
): Promise<HousedActor> {
  const id = `${home.origin}/users/${username}`
  const keyId = `${id}#main-key`
  const inbox = createInbox(`${username}@${home.name}`)
  const pair = keys ?? (await makeKeyPair())

  const actor: HousedActor = {
    username,
    handle: `${username}@${home.name}`,
    id,
    inboxUrl: `${id}/inbox`,
    followersUrl: `${id}/followers`,
    keyId,
    keys: pair,
    document: {
      '@context': CONTEXT,
      id,
      type,
      preferredUsername: username,
      name: username,
      summary: '',
      url: `${home.origin}/@${username}`,
      inbox: `${id}/inbox`,
      outbox: `${id}/outbox`,
      followers: `${id}/followers`,
      following: `${id}/following`,
      featured: `${id}/featured`,
      endpoints: { sharedInbox: `${home.origin}/inbox` },
      manuallyApprovesFollowers: false,
      discoverable: true,
      published: '2026-01-01T00:00:00Z',
      publicKey: { id: keyId, owner: id, publicKeyPem: pair.publicKeyPem },
      ...document,
    },
    inbox,
    put: inbox.put,
    activity: (kind, object, fields = {}) => ({
      '@context': CONTEXT[0],
      id: `${id}/activities/${randomUUID()}`,
      type: kind,
      actor: id,
      object,
      ...fields,
    }),
    note: (fields = {}) => {
      const noteId = `${id}/statuses/${randomUUID()}`
      return home.serve({
        '@context': CONTEXT[0],
        id: noteId,
        type: 'Note',
        attributedTo: id,
        content: '<p>A note</p>',
        published: new Date().toISOString(),
        url: noteId,
        to: [PUBLIC],
        cc: [`${id}/followers`],
        ...fields,
      })
    },
    async send(activity, options = {}) {
      const body = Buffer.isBuffer(activity)
        ? activity
        : Buffer.from(typeof activity === 'string' ? activity : JSON.stringify(activity))
      return sendSigned('POST', { url: options.to ?? home.defaultInbox(), body, options })
    },
    get: async (url, options = {}) => sendSigned('GET', { url, body: null, options }),
    async rotateKey() {
      actor.keys = await makeKeyPair()
      actor.document['publicKey'] = { id: keyId, owner: id, publicKeyPem: actor.keys.publicKeyPem }
    },
  }
  return actor

  async function sendSigned(
    method: string,
    { url, body, options }: { url: string; body: Buffer | null; options: SendOptions },
  ): Promise<Reply> {
    const { as = 'cavage', signer, now = new Date(), headers = {}, via, tamper } = options
    const call: PeerCall = {
      method,
      url,
      headers: {
        host: new URL(url).host,
        accept: 'application/activity+json',
        ...(body && { 'content-type': 'application/activity+json' }),
        ...headers,
      },
      body,
    }
    if (as !== 'unsigned') {
      const key = signer ?? { keyId, privateKey: actor.keys.privateKey }
      Object.assign(call.headers, await createSigner({ key, spec: as, now: () => now })(call))
    }
    tamper?.(call)
    return home.call(call, via)
  }
}
