import type { Collection, CollectionWithAccounts } from '../../src/entities/accounts/collection.ts'
import { openFediverse } from './fediverse.ts'
import type { Fediverse } from './fediverse.ts'
import { PUBLIC } from './peer/actor.ts'
import type { PeerActor } from './peer/actor.ts'
import type { PeerHost } from './peer/host.ts'
import type { Activity } from './peer/inbox.ts'
import type { TestUser } from '../servers/test-server.ts'

/** An actor that a remote collection features, with the URI of the actor's consent. */
interface FeatureClaim {
  actor: { id: string }
  /** Default: a valid authorization, which is served. */
  approval?: string
}

/** A local server and two remote ones with collections of each other's accounts. */
export interface CollectionServers extends Fediverse {
  remote: PeerHost
  other: PeerHost
  /** Creates a remote actor that every account may add to collections. */
  makeActor(host?: PeerHost, document?: Record<string, unknown>): Promise<PeerActor>
  /** Creates a remote actor that follows a local user. */
  createFollower(user: TestUser): Promise<PeerActor>
  /** Returns the local id of a remote actor's account. */
  accountOf(user: TestUser, actor: PeerActor): Promise<string>
  /** Returns the activities that an actor has received since the last call. */
  activitiesFor(actor: PeerActor): Promise<Activity[]>
  /** Serves a collection of an actor at the first host, with the additional fields `more`. */
  serveCollection(owner: PeerActor, claims?: readonly FeatureClaim[], more?: Record<string, unknown>): Activity
  /** Serves the consent of an actor to be in a collection, and returns its URI. */
  serveAuthorization(actor: { id: string }, collectionUri: unknown): string
  collectionsOf(user: TestUser, actor: PeerActor): Promise<Collection[]>
  /** Returns the number of collections that a user is in, as shown to the user. */
  countOwn(user: TestUser): Promise<number>
}

export async function openCollectionServers(): Promise<CollectionServers> {
  const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
  const { testServer, peer, uriOf, deliver } = fediverse
  const [remote, other] = [peer.host('remote.test'), peer.host('other.test')]
  const { keys } = await remote.createActor('first')
  let names = 0

  const makeActor: CollectionServers['makeActor'] = async (host = remote, document = {}) =>
    host.createActor(`actor${(names += 1)}`, {
      keys,
      document: { interactionPolicy: { canFeature: { automaticApproval: [PUBLIC] } }, ...document },
    })

  async function accountOf(user: TestUser, actor: PeerActor): Promise<string> {
    const { body } = await user.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
    return body[0].id
  }

  function serveAuthorization({ id }: { id: string }, collectionUri: unknown): string {
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
    async createFollower(user) {
      const follower = await makeActor(other)
      await deliver(follower, follower.activity('Follow', uriOf(user)))
      await follower.inbox.next(({ type }) => type === 'Accept')
      follower.inbox.clear()
      return follower
    },
    accountOf,
    async activitiesFor({ inbox }) {
      await testServer.waitForJobs()
      const activities = inbox.received.map(({ activity }) => activity)
      inbox.clear()
      return activities
    },
    serveCollection(owner, claims = [], more = {}) {
      const id = `${owner.id}/featured/${crypto.randomUUID()}`
      const orderedItems = claims.map(({ actor, approval }, n) => ({
        id: `${id}/items/${n}`,
        type: 'FeaturedItem',
        featuredObject: actor.id,
        featuredObjectType: 'Person',
        featureAuthorization: approval ?? serveAuthorization(actor, id),
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
    serveAuthorization,
    async collectionsOf(user, actor) {
      return (await user.client.get(`/api/v1/accounts/${await accountOf(user, actor)}/collections`)).body.collections
    },
    async countOwn({ accountId, client }) {
      return (await client.get(`/api/v1/accounts/${accountId}/in_collections`)).body.collections.length
    },
  }
}

/** Returns the states of the visible items of a collection. */
export function itemStatesOf({ collection }: CollectionWithAccounts): string[] {
  return collection.items.map(({ state }) => state)
}
