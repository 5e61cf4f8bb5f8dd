import { toJson } from '../../lib/json/json.ts'
import type { Json } from '../../lib/json/json.ts'

/** The vocabulary that every document has to name (Activity Streams 2.0). */
export const ACTIVITY_STREAMS = 'https://www.w3.org/ns/activitystreams'

/** The special collection that addresses everyone (ActivityPub §5.6). */
export const PUBLIC = `${ACTIVITY_STREAMS}#Public`

export const ACTIVITY_CONTENT_TYPE = 'application/activity+json; charset=utf-8'

/** The media types that requests for documents accept and that their responses must have (ActivityPub §3.2). */
export const ACTIVITY_MEDIA_TYPES = [
  'application/activity+json',
  `application/ld+json; profile="${ACTIVITY_STREAMS}"`,
] as const

const TOOT_TERMS = { toot: 'http://joinmastodon.org/ns#' }
const EMOJI_TERMS = { Emoji: 'toot:Emoji' }
const HASHTAG_TERMS = { Hashtag: 'as:Hashtag' }
const FEP_7AA9_TERMS = { fep7aa9: 'https://w3id.org/fep/7aa9#' }
const POLICY_TERMS = {
  gts: 'https://gotosocial.org/ns#',
  interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
  automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
  manualApproval: { '@id': 'gts:manualApproval', '@type': '@id' },
}

const QUOTE_TERMS = {
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

/** The context of activities that embed no object. */
export const BASE_CONTEXT = toJson(ACTIVITY_STREAMS)

/** The context of actors, and of activities that embed one. */
export const ACTOR_CONTEXT = toJson([
  ACTIVITY_STREAMS,
  'https://w3id.org/security/v1',
  {
    ...TOOT_TERMS,
    ...FEP_7AA9_TERMS,
    ...EMOJI_TERMS,
    ...HASHTAG_TERMS,
    schema: 'http://schema.org#',
    PropertyValue: 'schema:PropertyValue',
    value: 'schema:value',
    manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
    movedTo: { '@id': 'as:movedTo', '@type': '@id' },
    alsoKnownAs: { '@id': 'as:alsoKnownAs', '@type': '@id' },
    featured: { '@id': 'toot:featured', '@type': '@id' },
    featuredTags: { '@id': 'toot:featuredTags', '@type': '@id' },
    featuredCollections: { '@id': 'fep7aa9:featuredCollections', '@type': '@id' },
    ...POLICY_TERMS,
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

/**
 * The context of notes and polls, of quote requests and quote authorizations (FEP-044f), and of activities and
 * collections that embed any of these.
 */
export const NOTE_CONTEXT = toJson([
  ACTIVITY_STREAMS,
  {
    ...TOOT_TERMS,
    ...EMOJI_TERMS,
    ...HASHTAG_TERMS,
    ostatus: 'http://ostatus.org#',
    atomUri: 'ostatus:atomUri',
    inReplyToAtomUri: 'ostatus:inReplyToAtomUri',
    conversation: 'ostatus:conversation',
    sensitive: 'as:sensitive',
    blurhash: 'toot:blurhash',
    focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
    votersCount: 'toot:votersCount',
    ...POLICY_TERMS,
    ...QUOTE_TERMS,
  },
])

/**
 * The context of featured collections of accounts, of feature requests and feature authorizations (FEP-7aa9), and of
 * activities that embed any of these.
 */
export const COLLECTION_CONTEXT = toJson([
  ACTIVITY_STREAMS,
  {
    ...TOOT_TERMS,
    ...HASHTAG_TERMS,
    ...FEP_7AA9_TERMS,
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

/** Adds `@context` as the first member of an object's JSON. */
export function withContext<T>(context: Json<unknown>, object: Json<T>): Json<T> {
  return `{"@context":${context},${object.slice(1)}` as Json<T>
}
