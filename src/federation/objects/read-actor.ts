import { sanitizeHtml } from '../../lib/text/sanitize.ts'
import { canonicalDomain, parseHandle } from '../../lib/usernames.ts'
import type { Handle } from '../../lib/usernames.ts'
import { PUBLIC } from '../wire/context.ts'
import type { WireObject, WireValue } from '../wire/normalise.ts'
import {
  audienceOf,
  flagOf,
  hostOf,
  idOf,
  idsOf,
  isOfType,
  isSameHost,
  lineOf,
  linksOf,
  momentOf,
  objectOf,
  objectsOf,
  textOf,
  typesOf,
} from '../wire/read.ts'
import { Unreadable } from '../wire/unreadable.ts'
import { LIMITS } from './limits.ts'
import { readImage } from './read-image.ts'
import type { ImageFacts } from './read-image.ts'
import { readTags } from './read-tags.ts'
import type { EmojiFacts } from './read-tags.ts'

const ACTOR_TYPES = ['Person', 'Service', 'Group', 'Application', 'Organization'] as const

interface KeyFacts {
  id: string
  pem: string
}

/** An actor elsewhere, as its own document says. That it lies where it says, and its handle, others prove. */
export interface ActorFacts {
  uri: string
  /** The host of its id. */
  host: string
  type: (typeof ACTOR_TYPES)[number]
  username: string
  /** The handle that it claims, if it names one; else its name at its host. */
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
  avatar: ImageFacts | null
  header: ImageFacts | null
  /** Names as text, values as clean HTML. */
  fields: { name: string; value: string }[]
  emojis: EmojiFacts[]
  locked: boolean
  /** null: not told. */
  discoverable: boolean | null
  indexable: boolean
  memorial: boolean
  suspended: boolean
  /** Sites that may name it as an author, canonical. */
  attributionDomains: string[]
  /** Whether its page has a tab for media, whether answers are in that, and a tab of what it recommends. */
  showMedia: boolean
  showMediaReplies: boolean
  showFeatured: boolean
  /** Who may put it into a collection, at once or after being asked; null: it does not say. */
  featurePolicy: FeaturePolicy | null
  alsoKnownAs: string[]
  movedTo: string | null
  publishedAt: Date | null
  keys: KeyFacts[]
  /** Keys that it only names, to be found in documents of their own. */
  keyRefs: string[]
}

const TYPES: ReadonlySet<string> = new Set(ACTOR_TYPES)
const PROPERTY = new Set(['PropertyValue'])
const USERNAME = /^[A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*$/

/** Whether an object is of a kind that can act. */
export function isActor(object: WireObject): boolean {
  return isOfType(object, TYPES)
}

/**
 * Reads an actor.
 * @throws Unreadable for other kinds, and for one without an id, a name that can stand in a handle, or an inbox
 */
export function readActor(object: WireObject, { now }: { now: Date }): ActorFacts {
  const type = ACTOR_TYPES.find((one) => typesOf(object).includes(one))
  if (type === undefined) throw new Unreadable('No actor')
  const uri = idOf(object)
  const host = uri === null ? null : hostOf(uri)
  const inboxUrl = idOf(object['inbox'])
  if (uri === null || host === null || inboxUrl === null) throw new Unreadable('An actor has an id and an inbox')
  const username = object['preferredUsername']
  if (typeof username !== 'string' || username.length > LIMITS.username || !USERNAME.test(username)) {
    throw new Unreadable('An actor has a name for handles')
  }
  return {
    uri,
    host,
    type,
    username,
    handle: handleOf(object) ?? { username, domain: host },
    displayName: lineOf(object['name'], LIMITS.displayName) ?? '',
    note: sanitizeHtml(textOf(object['summary'], LIMITS.note) ?? ''),
    url: pageOf(object, uri),
    inboxUrl,
    sharedInboxUrl: idOf(objectOf(object['endpoints'])?.['sharedInbox']) ?? idOf(object['sharedInbox']),
    outboxUrl: idOf(object['outbox']),
    followersUrl: idOf(object['followers']),
    followingUrl: idOf(object['following']),
    featuredUrl: idOf(object['featured']),
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
    publishedAt: momentOf(object['published'], now),
    ...readKeys(object, uri),
  }
}

/** The handle that the document names; WebFinger has to agree. */
function handleOf(object: WireObject): ActorFacts['handle'] | null {
  const parsed = parseHandle(object['webfinger'])
  return parsed?.domain == null ? null : { username: parsed.username, domain: parsed.domain }
}

/** Its page for people, if that lies at its own host: another's could be anybody's. */
function pageOf(object: WireObject, uri: string): string {
  const links = linksOf(object['url'], LIMITS.links).filter(({ url }) => isSameHost(url, uri))
  return (links.find(({ mediaType }) => mediaType?.startsWith('text/html')) ?? links[0])?.url ?? uri
}

function readFields(object: WireObject): ActorFacts['fields'] {
  return objectsOf(object['attachment'], LIMITS.fields)
    .filter((one) => isOfType(one, PROPERTY))
    .map((one) => ({
      name: lineOf(one['name'], LIMITS.field) ?? '',
      value: sanitizeHtml(textOf(one['value'], LIMITS.field) ?? ''),
    }))
    .filter(({ name, value }) => name !== '' || value !== '')
}

/** Domains as they are compared; what is none is left out. */
function readDomains(value: unknown): string[] {
  const named = [value].flat().slice(0, LIMITS.attributionDomains)
  const domains = named.map((one) => (typeof one === 'string' ? canonicalDomain(one) : null))
  return [...new Set(domains.filter((domain) => domain !== null))]
}

/** Whom an actor lets do something: words for its lists, `disabled` for nobody but itself, and for everything else. */
interface FeaturePolicy {
  automatic: string[]
  manual: string[]
}

function readFeaturePolicy(object: WireObject, uri: string): FeaturePolicy | null {
  const rule = objectOf(objectOf(object['interactionPolicy'])?.['canFeature'])
  if (!rule) return null
  const words = new Map([
    [PUBLIC, 'public'],
    [idOf(object['followers']), 'followers'],
    [idOf(object['following']), 'following'],
    [uri, 'disabled'],
  ])
  const read = (value: WireValue | undefined) => [
    ...new Set(audienceOf(value, LIMITS.policy).map((one) => words.get(one) ?? 'unsupported_policy')),
  ]
  return { automatic: read(rule['automaticApproval']), manual: read(rule['manualApproval']) }
}

/** Its keys. One whose owner is somebody else is not counted as its own. */
function readKeys(object: WireObject, uri: string): Pick<ActorFacts, 'keys' | 'keyRefs'> {
  const keys: KeyFacts[] = []
  for (const one of objectsOf(object['publicKey'], LIMITS.keys)) {
    const id = idOf(one)
    const pem = textOf(one['publicKeyPem'], LIMITS.keyPem)
    const owner = one['owner'] ?? one['controller']
    if (id !== null && pem !== null && (owner === undefined || idOf(owner) === uri)) keys.push({ id, pem })
  }
  const known = new Set(keys.map(({ id }) => id))
  const named = [object['publicKey']].flat().filter((one) => typeof one === 'string')
  return { keys, keyRefs: idsOf(named, LIMITS.keys).filter((id) => !known.has(id)) }
}
