import { toJson } from '../../lib/json.ts'
import type { Json } from '../../lib/json.ts'

/** The vocabulary that every document must name. */
export const ACTIVITY_STREAMS = 'https://www.w3.org/ns/activitystreams'

/** Who is addressed when everybody is. */
export const PUBLIC = `${ACTIVITY_STREAMS}#Public`

export const ACTIVITY_JSON = 'application/activity+json; charset=utf-8'

/** What is asked for when a document is fetched, and what an answer must be to count as one. */
export const ACTIVITY_TYPES = [
  'application/activity+json',
  `application/ld+json; profile="${ACTIVITY_STREAMS}"`,
] as const

const MASTODON = { toot: 'http://joinmastodon.org/ns#' }
const EMOJI = { Emoji: 'toot:Emoji' }
const HASHTAG = { Hashtag: 'as:Hashtag' }

/** Of an activity without any object of its own. */
export const PLAIN_CONTEXT = toJson(ACTIVITY_STREAMS)

/** Of actors, and of activities that hold one. */
export const ACTOR_CONTEXT = toJson([
  ACTIVITY_STREAMS,
  'https://w3id.org/security/v1',
  {
    ...MASTODON,
    ...EMOJI,
    ...HASHTAG,
    schema: 'http://schema.org#',
    PropertyValue: 'schema:PropertyValue',
    value: 'schema:value',
    manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
    movedTo: { '@id': 'as:movedTo', '@type': '@id' },
    alsoKnownAs: { '@id': 'as:alsoKnownAs', '@type': '@id' },
    featured: { '@id': 'toot:featured', '@type': '@id' },
    featuredTags: { '@id': 'toot:featuredTags', '@type': '@id' },
    discoverable: 'toot:discoverable',
    indexable: 'toot:indexable',
    memorial: 'toot:memorial',
    suspended: 'toot:suspended',
    attributionDomains: { '@id': 'toot:attributionDomains', '@container': '@set' },
    showMedia: 'toot:showMedia',
    showRepliesInMedia: 'toot:showRepliesInMedia',
    showFeatured: 'toot:showFeatured',
    webfinger: 'https://purl.archive.org/socialweb/webfinger#webfinger',
  },
])

/** Of notes and polls, and of activities and collections that hold some. */
export const NOTE_CONTEXT = toJson([
  ACTIVITY_STREAMS,
  {
    ...MASTODON,
    ...EMOJI,
    ...HASHTAG,
    ostatus: 'http://ostatus.org#',
    atomUri: 'ostatus:atomUri',
    inReplyToAtomUri: 'ostatus:inReplyToAtomUri',
    conversation: 'ostatus:conversation',
    sensitive: 'as:sensitive',
    blurhash: 'toot:blurhash',
    focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
    votersCount: 'toot:votersCount',
  },
])

/** Puts the context in front of an object's JSON. */
export function withContext<T>(context: Json<unknown>, object: Json<T>): Json<T> {
  return `{"@context":${context},${object.slice(1)}` as Json<T>
}
