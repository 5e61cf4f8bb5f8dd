import { randomUUID } from 'node:crypto'
import type { KeyPair } from '../../../src/federation/signatures/keys.ts'
import { createSigner } from '../../../src/federation/signatures/create-signer.ts'
import type { SignatureSpec } from '../../../src/federation/signatures/signature.ts'
import { takeKeyPair } from '../../services/rsa-keys.ts'
import { createInbox } from './inbox.ts'
import type { Activity, PeerInbox, ReceivedActivity } from './inbox.ts'
import type { PeerCall, PeerReply, ServerTarget } from './send-request.ts'

const CONTEXT = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1']
export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

export interface ActorOptions {
  type?: 'Person' | 'Service' | 'Group' | 'Organization' | 'Application'
  /** Generating a key pair takes a tenth of a second; actors may share one. */
  keys?: KeyPair
  /** Additional properties of the document; undefined removes a property. */
  document?: Record<string, unknown>
}

interface SendOptions {
  /** The inbox; default: the shared inbox of the only server that the peer is connected to. */
  to?: string
  via?: ServerTarget
  as?: SignatureSpec | 'unsigned'
  /** The key that signs, with the id that the signature names; default: the actor's own. */
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
  /** The document that is served at `id`; tests may change it. */
  document: Record<string, any>
  /** The activities received at this actor's own inbox and at the shared inbox of the host. */
  readonly inbox: PeerInbox
  /** Creates an activity by this actor with a new id, without sending it. */
  activity(type: string, object: unknown, fields?: Record<string, unknown>): Activity
  /** Creates a public Note by this actor and serves it at its id. `fields` add or replace properties. */
  note(fields?: Record<string, unknown>): Activity
  /** Signs and posts an activity; buffers and strings are sent unchanged. */
  send(activity: Activity | string | Buffer, options?: SendOptions): Promise<PeerReply>
  /** Sends a signed GET. */
  get(url: string, options?: Omit<SendOptions, 'to'>): Promise<PeerReply>
  /** Replaces the key under the same id, also in the document. */
  rotateKey(): Promise<void>
}

/** The functions of its host that an actor uses. */
export interface ActorEnvironment {
  readonly origin: string
  readonly name: string
  serve(document: Activity): Activity
  call(call: PeerCall, via: ServerTarget | undefined): Promise<PeerReply>
  defaultInbox(): string
}

export interface HostedActor extends PeerActor {
  put(received: ReceivedActivity): void
}

export async function createActor(
  host: ActorEnvironment,
  { username, type = 'Person', keys, document = {} }: ActorOptions & { username: string },
): Promise<HostedActor> {
  const id = `${host.origin}/users/${username}`
  const keyId = `${id}#main-key`
  const inbox = createInbox(`${username}@${host.name}`)
  const pair = keys ?? takeKeyPair()

  const actor: HostedActor = {
    username,
    handle: `${username}@${host.name}`,
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
      url: `${host.origin}/@${username}`,
      inbox: `${id}/inbox`,
      outbox: `${id}/outbox`,
      followers: `${id}/followers`,
      following: `${id}/following`,
      featured: `${id}/featured`,
      endpoints: { sharedInbox: `${host.origin}/inbox` },
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
      return host.serve({
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
      return sendSigned('POST', { url: options.to ?? host.defaultInbox(), body, options })
    },
    get: async (url, options = {}) => sendSigned('GET', { url, body: null, options }),
    async rotateKey() {
      actor.keys = takeKeyPair()
      actor.document['publicKey'] = { id: keyId, owner: id, publicKeyPem: actor.keys.publicKeyPem }
    },
  }
  return actor

  async function sendSigned(
    method: string,
    { url, body, options }: { url: string; body: Buffer | null; options: SendOptions },
  ): Promise<PeerReply> {
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
    return host.call(call, via)
  }
}
