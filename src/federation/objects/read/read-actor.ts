import { sanitizeHtml } from '../../../lib/html/sanitize.ts'
import { canonicalDomain, parseHandle } from '../../../lib/usernames.ts'
import type { Handle } from '../../../lib/usernames.ts'
import { PUBLIC } from '../../wire/context.ts'
import type { WireObject, WireValue } from '../../wire/normalize.ts'
import {
  audienceOf,
  countOf,
  flagOf,
  hostOf,
  idOf,
  idsOf,
  isOfType,
  isSameHost,
  lineOf,
  linksOf,
  pastDateOf,
  objectOf,
  objectsOf,
  textOf,
  typesOf,
  listOf,
} from '../../wire/read-values.ts'
import { InvalidDocumentError } from '../../wire/invalid-document-error.ts'
import { LIMITS } from './limits.ts'
import { readTags } from './read-tags.ts'
import type { ParsedEmoji } from './read-tags.ts'

const ACTOR_TYPES = ['Person', 'Service', 'Group', 'Application', 'Organization'] as const

interface ParsedKey {
  id: string
  pem: string
}

/** A remote actor as described by its own document. Callers verify that it is served at its id, and its handle. */
export interface ParsedActor {
  uri: string
  /** The host of its id. */
  host: string
  type: (typeof ACTOR_TYPES)[number]
  /** The handle that it claims in `webfinger`, or else its `preferredUsername` at its host. */
  handle: Handle & { domain: string }
  displayName: string
  /** Clean HTML. */
  note: string
  url: string
  inboxUrl: string
  sharedInboxUrl: string | null
  outboxUrl: string | null
  followersUrl: string | null
  followingUrl: string | null
  featuredUrl: string | null
  featuredTagsUrl: string | null
  avatar: ParsedImage | null
  header: ParsedImage | null
  /** Names as text, values as clean HTML. */
  fields: { name: string; value: string }[]
  emojis: ParsedEmoji[]
  locked: boolean
  /** null if the document does not say. */
  discoverable: boolean | null
  indexable: boolean
  memorial: boolean
  suspended: boolean
  /** Canonical domains of websites that may credit it as an author (`attributionDomains`). */
  attributionDomains: string[]
  /**
   * Whether its profile has a media tab, whether that contains replies, and whether there is a tab of featured items.
   */
  showMedia: boolean
  showMediaReplies: boolean
  showFeatured: boolean
  /** Who may add it to a featured collection (FEP-7aa9); null if the document does not say. */
  featurePolicy: FeaturePolicy | null
  alsoKnownAs: string[]
  movedTo: string | null
  publishedAt: Date | null
  keys: ParsedKey[]
  /** Ids of keys that it only references, which have documents of their own. */
  keyRefs: string[]
}

const TYPES: ReadonlySet<string> = new Set(ACTOR_TYPES)
const PROPERTY = new Set(['PropertyValue'])
const USERNAME = /^[A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*$/

/** Returns whether an object has an actor type. */
export function isActor(object: WireObject): boolean {
  return isOfType(object, TYPES)
}

/**
 * Reads an actor.
 * @throws InvalidDocumentError for other types, and if it has no id, no inbox or no valid handle
 */
export function readActor(object: WireObject, { now }: { now: Date }): ParsedActor {
  const type = ACTOR_TYPES.find((one) => typesOf(object).includes(one))
  if (type === undefined) throw new InvalidDocumentError('The object is not an actor')
  const uri = idOf(object)
  const host = uri === null ? null : hostOf(uri)
  const inboxUrl = inboxOf(object['inbox'])
  if (uri === null || host === null || inboxUrl === null)
    throw new InvalidDocumentError('An actor needs an id and an inbox')
  const handle = claimedHandleOf(object) ?? usernameAt(host, object['preferredUsername'])
  if (!handle) throw new InvalidDocumentError('An actor needs a valid preferredUsername or webfinger')
  return {
    uri,
    host,
    type,
    handle,
    displayName: lineOf(object['name'], LIMITS.displayName) ?? '',
    note: sanitizeHtml(textOf(object['summary'], LIMITS.note) ?? ''),
    url: profileUrlOf(object, uri),
    inboxUrl,
    sharedInboxUrl: inboxOf(objectOf(object['endpoints'])?.['sharedInbox']) ?? inboxOf(object['sharedInbox']),
    outboxUrl: idOf(object['outbox']),
    followersUrl: idOf(object['followers']),
    followingUrl: idOf(object['following']),
    featuredUrl: idOf(object['featured']),
    featuredTagsUrl: idOf(object['featuredTags']),
    avatar: readImage(object['icon']),
    header: readImage(object['image']),
    fields: readFields(object),
    emojis: readTags(object).emojis,
    locked: flagOf(object['manuallyApprovesFollowers']) === true,
    discoverable: flagOf(object['discoverable']),
    indexable: flagOf(object['indexable']) === true,
    memorial: flagOf(object['memorial']) === true,
    suspended: flagOf(object['suspended']) === true,
    attributionDomains: readDomains(object['attributionDomains']),
    showMedia: flagOf(object['showMedia']) !== false,
    showMediaReplies: flagOf(object['showRepliesInMedia']) !== false,
    showFeatured: flagOf(object['showFeatured']) !== false,
    featurePolicy: readFeaturePolicy(object, uri),
    alsoKnownAs: idsOf(object['alsoKnownAs'], LIMITS.aliases),
    movedTo: idOf(object['movedTo']),
    publishedAt: pastDateOf(object['published'], now),
    ...readKeys(object, uri),
  }
}

/** Returns the URL of an inbox as browsers serialise it: deliveries are grouped by its host, in one spelling. */
function inboxOf(value: WireValue | undefined): string | null {
  const url = idOf(value)
  return url === null ? null : new URL(url).href
}

/** Returns the handle that the document claims (FEP-2c59), which callers verify by WebFinger. */
function claimedHandleOf(object: WireObject): ParsedActor['handle'] | null {
  const text = textOf(object['webfinger'], LIMITS.username)
  const parsed = parseHandle(text?.replace(/^acct:/i, ''))
  return parsed?.domain == null ? null : { username: parsed.username, domain: parsed.domain }
}

function usernameAt(host: string, username: WireValue | undefined): ParsedActor['handle'] | null {
  if (typeof username !== 'string' || username.length > LIMITS.username || !USERNAME.test(username)) return null
  return { username, domain: host }
}

/** Returns the URL of the profile page, if it is on the actor's own host: a page on another host could be anyone's. */
function profileUrlOf(object: WireObject, uri: string): string {
  const links = linksOf(object['url'], LIMITS.links).filter(({ url }) => isSameHost(url, uri))
  return (links.find(({ mediaType }) => mediaType?.startsWith('text/html')) ?? links[0])?.url ?? uri
}

function readFields(object: WireObject): ParsedActor['fields'] {
  return objectsOf(object['attachment'], LIMITS.fields)
    .filter((one) => isOfType(one, PROPERTY))
    .map((one) => ({
      name: lineOf(one['name'], LIMITS.field) ?? '',
      value: sanitizeHtml(textOf(one['value'], LIMITS.field) ?? ''),
    }))
    .filter(({ name, value }) => name !== '' || value !== '')
}

/** Returns the valid domains in canonical form. */
function readDomains(value: unknown): string[] {
  const named = [value].flat().slice(0, LIMITS.attributionDomains)
  const domains = named.map((one) => (typeof one === 'string' ? canonicalDomain(one) : null))
  return [...new Set(domains.filter((domain) => domain !== null))]
}

/**
 * The parts of a policy, as Mastodon's API names them: `public`, `followers`, `following`, `disabled` for nobody but
 * the actor, and `unsupported_policy` for anything else.
 */
interface FeaturePolicy {
  automatic: string[]
  manual: string[]
}

function readFeaturePolicy(object: WireObject, uri: string): FeaturePolicy | null {
  const rule = objectOf(objectOf(object['interactionPolicy'])?.['canFeature'])
  if (!rule) return null
  const policyNames = new Map([
    [PUBLIC, 'public'],
    [idOf(object['followers']), 'followers'],
    [idOf(object['following']), 'following'],
    [uri, 'disabled'],
  ])
  const read = (value: WireValue | undefined) => [
    ...new Set(audienceOf(value, LIMITS.policy).map((one) => policyNames.get(one) ?? 'unsupported_policy')),
  ]
  return { automatic: read(rule['automaticApproval']), manual: read(rule['manualApproval']) }
}

/** Returns the actor's keys. A key with another owner is ignored. */
function readKeys(object: WireObject, uri: string): Pick<ParsedActor, 'keys' | 'keyRefs'> {
  const keys: ParsedKey[] = []
  for (const one of objectsOf(object['publicKey'], LIMITS.keys)) {
    const id = idOf(one)
    const pem = textOf(one['publicKeyPem'], LIMITS.keyPem)
    const owner = one['owner'] ?? one['controller']
    if (id !== null && pem !== null && (owner === undefined || idOf(owner) === uri)) keys.push({ id, pem })
  }
  const known = new Set(keys.map(({ id }) => id))
  const references = [object['publicKey']].flat().filter((one) => typeof one === 'string')
  return { keys, keyRefs: idsOf(references, LIMITS.keys).filter((id) => !known.has(id)) }
}

interface ParsedImage {
  url: string
  description: string
}

/**
 * Reads an avatar or header, which may be a URL, a Link, an Image or a list of these. Of a list, the widest one counts,
 * or the first one if none names its width: PeerTube lists the sizes of an avatar, mostly from the smallest.
 */
function readImage(value: WireValue | undefined): ParsedImage | null {
  let found: ParsedImage | null = null
  let foundWidth = -1
  for (const one of listOf(value).slice(0, LIMITS.links)) {
    const image = objectOf(one)
    const width = countOf(image?.['width']) ?? 0
    const [link] = width > foundWidth ? linksOf(one, LIMITS.links) : []
    if (!link) continue
    foundWidth = width
    const description = textOf(image?.['summary'], LIMITS.description) ?? lineOf(image?.['name'], LIMITS.description)
    found = { url: link.url, description: description ?? '' }
  }
  return found
}
