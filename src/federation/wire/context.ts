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
const FEATURES = { fep7aa9: 'https://w3id.org/fep/7aa9#' }
const POLICY = {
  gts: 'https://gotosocial.org/ns#',
  interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
  automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
  manualApproval: { '@id': 'gts:manualApproval', '@type': '@id' },
}

const QUOTES = {
  fep044f: 'https://w3id.org/fep/044f#',
  quote: { '@id': 'fep044f:quote', '@type': '@id' },
  quoteAuthorization: { '@id': 'fep044f:quoteAuthorization', '@type': '@id' },
  QuoteRequest: 'fep044f:QuoteRequest',
  QuoteAuthorization: 'fep044f:QuoteAuthorization',
  quoteUri: 'http://fedibird.com/ns#quoteUri',
  _misskey_quote: 'https://misskey-hub.net/ns#_misskey_quote',
  canQuote: { '@id': 'gts:canQuote', '@type': '@id' },
  interactingObject: { '@id': 'gts:interactingObject', '@type': '@id' },
  interactionTarget: { '@id': 'gts:interactionTarget', '@type': '@id' },
}

/** Of an activity without any object of its own. */
export const PLAIN_CONTEXT = toJson(ACTIVITY_STREAMS)

/** Of actors, and of activities that hold one. */
export const ACTOR_CONTEXT = toJson([
  ACTIVITY_STREAMS,
  'https://w3id.org/security/v1',
  {
    ...MASTODON,
    ...FEATURES,
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
    featuredCollections: { '@id': 'fep7aa9:featuredCollections', '@type': '@id' },
    ...POLICY,
    canFeature: { '@id': 'fep7aa9:canFeature', '@type': '@id' },
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

/** Of notes and polls, of requests to quote them and of consents, and of activities and collections that hold some. */
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
    ...POLICY,
    ...QUOTES,
  },
])

/** Of collections of accounts, of requests to be in one and of consents, and of activities that hold some. */
export const COLLECTION_CONTEXT = toJson([
  ACTIVITY_STREAMS,
  {
    ...MASTODON,
    ...HASHTAG,
    ...FEATURES,
    gts: 'https://gotosocial.org/ns#',
    sensitive: 'as:sensitive',
    discoverable: 'toot:discoverable',
    FeaturedCollection: 'fep7aa9:FeaturedCollection',
    FeaturedItem: 'fep7aa9:FeaturedItem',
    FeatureRequest: 'fep7aa9:FeatureRequest',
    FeatureAuthorization: 'fep7aa9:FeatureAuthorization',
    topic: 'fep7aa9:topic',
    featuredObject: { '@id': 'fep7aa9:featuredObject', '@type': '@id' },
    featuredObjectType: { '@id': 'fep7aa9:featuredObjectType', '@type': '@vocab' },
    featureAuthorization: { '@id': 'fep7aa9:featureAuthorization', '@type': '@id' },
    interactingObject: { '@id': 'gts:interactingObject', '@type': '@id' },
    interactionTarget: { '@id': 'gts:interactionTarget', '@type': '@id' },
  },
])

/** Puts the context in front of an object's JSON. */
export function withContext<T>(context: Json<unknown>, object: Json<T>): Json<T> {
  return `{"@context":${context},${object.slice(1)}` as Json<T>
}
