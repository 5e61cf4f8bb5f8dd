import type { Collection, CollectionWithAccounts } from '../src/entities/collection.ts'
import { openFediverse } from './fediverse.ts'
import type { Fediverse } from './fediverse.ts'
import { PUBLIC } from './peer/actor.ts'
import type { PeerActor } from './peer/actor.ts'
import type { PeerHost } from './peer/host.ts'
import type { Activity } from './peer/inbox.ts'
import type { Person } from './world.ts'

/** Whom a collection elsewhere says that it features, and where it says that they agree. */
interface Claim {
  actor: { id: string }
  /** Served, unless it is said where it lies. */
  approval?: string
}

/** A server of ours and two others whose people recommend each other. */
export interface Recommending extends Fediverse {
  remote: PeerHost
  other: PeerHost
  /** Somebody elsewhere whom everybody may put into collections. */
  makeActor(host?: PeerHost, document?: Record<string, unknown>): Promise<PeerActor>
  /** Somebody elsewhere who follows somebody here. */
  makeFan(person: Person): Promise<PeerActor>
  /** The id of their account here. */
  accountOf(person: Person, actor: PeerActor): Promise<string>
  /** What came to an actor's host since the last look. */
  newsOf(actor: PeerActor): Promise<Activity[]>
  /** A collection of somebody at the first host, served at its address. `more` joins it. */
  serveCollection(owner: PeerActor, claims?: readonly Claim[], more?: Record<string, unknown>): Activity
  /** Serves that somebody agrees to be in a collection; gives the address. */
  serveConsent(actor: { id: string }, collectionUri: unknown): string
  collectionsOf(person: Person, actor: PeerActor): Promise<Collection[]>
  /** How many collections somebody knows to be in. */
  countOwn(person: Person): Promise<number>
}

export async function openRecommending(): Promise<Recommending> {
  const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
  const { world, peer, uriOf, deliver } = fediverse
  const [remote, other] = [peer.host('remote.test'), peer.host('other.test')]
  const { keys } = await remote.createActor('first')
  let names = 0

  const makeActor: Recommending['makeActor'] = async (host = remote, document = {}) =>
    host.createActor(`actor${(names += 1)}`, {
      keys,
      document: { interactionPolicy: { canFeature: { automaticApproval: [PUBLIC] } }, ...document },
    })

  async function accountOf(person: Person, actor: PeerActor): Promise<string> {
    const { body } = await person.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
    return body[0].id
  }

  function serveConsent({ id }: { id: string }, collectionUri: unknown): string {
    const uri = `${id}/stamps/${crypto.randomUUID()}`
    const host = id.startsWith(remote.origin) ? remote : other
    host.serve({
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: uri,
      type: 'FeatureAuthorization',
      interactingObject: collectionUri,
      interactionTarget: id,
    })
    return uri
  }

  return {
    ...fediverse,
    remote,
    other,
    makeActor,
    async makeFan(person) {
      const fan = await makeActor(other)
      await deliver(fan, fan.activity('Follow', uriOf(person)))
      await fan.inbox.next(({ type }) => type === 'Accept')
      fan.inbox.clear()
      return fan
    },
    accountOf,
    async newsOf({ inbox }) {
      await world.settle()
      const news = inbox.received.map(({ activity }) => activity)
      inbox.clear()
      return news
    },
    serveCollection(owner, claims = [], more = {}) {
      const id = `${owner.id}/featured/${crypto.randomUUID()}`
      const orderedItems = claims.map(({ actor, approval }, n) => ({
        id: `${id}/items/${n}`,
        type: 'FeaturedItem',
        featuredObject: actor.id,
        featuredObjectType: 'Person',
        featureAuthorization: approval ?? serveConsent(actor, id),
        published: '2026-05-01T00:00:00Z',
      }))
      return remote.serve({
        '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/fep/7aa9'],
        id,
        type: 'FeaturedCollection',
        attributedTo: owner.id,
        name: 'Cute cats',
        summary: '<p>Look<script>alert(1)</script></p>',
        url: id,
        discoverable: true,
        topic: { type: 'Hashtag', name: '#Cats' },
        published: '2026-05-01T00:00:00Z',
        totalItems: orderedItems.length,
        orderedItems,
        ...more,
      })
    },
    serveConsent,
    async collectionsOf(person, actor) {
      return (await person.client.get(`/api/v1/accounts/${await accountOf(person, actor)}/collections`)).body
        .collections
    },
    async countOwn({ accountId, client }) {
      return (await client.get(`/api/v1/accounts/${accountId}/in_collections`)).body.collections.length
    },
  }
}

/** In which states those are who are shown in a collection. */
export function statesOf({ collection }: CollectionWithAccounts): string[] {
  return collection.items.map(({ state }) => state)
}
