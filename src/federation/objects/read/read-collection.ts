import { normalizeLanguage } from '../../../lib/text/language.ts'
import { sanitizeHtml } from '../../../lib/html/sanitize.ts'
import type { WireObject, WireValue } from '../../wire/normalize.ts'
import {
  flagOf,
  idOf,
  isOfType,
  isSameHost,
  lineOf,
  linksOf,
  listOf,
  pastDateOf,
  objectOf,
  textOf,
  textsByLanguage,
  totalOf,
} from '../../wire/read-values.ts'
import { InvalidDocumentError } from '../../wire/invalid-document-error.ts'
import { LIMITS } from './limits.ts'
import { readIfHashtag } from './read-tags.ts'

const COLLECTION = new Set(['FeaturedCollection'])
const ITEM = new Set(['FeaturedItem'])
const AUTHORIZATION = new Set(['FeatureAuthorization'])

/** An item of a remote featured collection (FEP-7aa9). Its approval is unverified. */
export interface ParsedFeaturedItem {
  uri: string
  /** The id of the featured actor. */
  featuredUri: string
  /** The URL of the feature authorization. */
  approvalUri: string
  addedAt: Date | null
}

/** A remote featured collection as described by its document. */
export interface ParsedFeaturedCollection {
  uri: string
  attributedTo: string
  url: string | null
  name: string
  /** Clean HTML. */
  description: string
  language: string | null
  sensitive: boolean
  discoverable: boolean
  tag: { name: string; display: string } | null
  itemCount: number | null
  publishedAt: Date | null
  updatedAt: Date | null
  /** The items, or the ids of items that have to be fetched. Null if the document does not list its items. */
  items: (ParsedFeaturedItem | string)[] | null
}

export function isFeaturedCollection(object: WireObject): boolean {
  return isOfType(object, COLLECTION)
}

export function isFeaturedItem(object: WireObject): boolean {
  return isOfType(object, ITEM)
}

/** Reads a featured collection. @throws InvalidDocumentError for other types, and if it has no id, owner or name */
export function readFeaturedCollection(object: WireObject, { now }: { now: Date }): ParsedFeaturedCollection {
  const [uri, attributedTo] = [idOf(object), idOf(object['attributedTo'])]
  const name = lineOf(object['name'], LIMITS.collectionName)
  if (!isFeaturedCollection(object) || uri === null || attributedTo === null || name === null) {
    throw new InvalidDocumentError('A collection needs an id, an owner and a name')
  }
  const [mapped] = textsByLanguage(object['summaryMap'])
  const summary = textOf(object['summary'], LIMITS.summary) ?? mapped?.text.slice(0, LIMITS.summary) ?? ''
  const itemCount = totalOf(object)
  return {
    uri,
    attributedTo,
    url: linksOf(object['url'], LIMITS.links).find(({ url }) => isSameHost(url, uri))?.url ?? null,
    name,
    description: sanitizeHtml(summary),
    language: normalizeLanguage(mapped?.language),
    sensitive: flagOf(object['sensitive']) === true,
    discoverable: flagOf(object['discoverable']) !== false,
    tag: readTopic(object),
    itemCount,
    publishedAt: pastDateOf(object['published'], now),
    updatedAt: pastDateOf(object['updated'], now),
    items: readItems(object['orderedItems'] ?? object['items'] ?? (itemCount === 0 ? [] : null), { uri, now }),
  }
}

function readItems(
  list: WireValue,
  { uri: collectionUri, now }: { uri: string; now: Date },
): ParsedFeaturedCollection['items'] {
  if (list === null) return null
  const items = listOf(list)
    .slice(0, LIMITS.collectionItems)
    .map((item) => {
      const object = objectOf(item)
      return object ? readFeaturedItem(object, { collectionUri, now }) : idOf(item)
    })
  return items.filter((item) => item !== null)
}

/** Reads an item of a collection; null unless it is a valid item on the same host as the collection. */
export function readFeaturedItem(
  object: WireObject,
  { collectionUri, now }: { collectionUri: string; now: Date },
): ParsedFeaturedItem | null {
  const uri = idOf(object)
  const featuredUri = idOf(object['featuredObject'])
  const approvalUri = idOf(object['featureAuthorization'])
  if (!isFeaturedItem(object) || uri === null || featuredUri === null || approvalUri === null) return null
  if (!isSameHost(uri, collectionUri)) return null
  return { uri, featuredUri, approvalUri, addedAt: pastDateOf(object['published'], now) }
}

/** Returns whether a document authorizes this collection to feature an actor, under the id `approvalUri`. */
export function isFeatureAuthorization(
  object: WireObject,
  { approvalUri, featuredUri, collectionUri }: { approvalUri: string; featuredUri: string; collectionUri: string },
): boolean {
  return (
    isOfType(object, AUTHORIZATION) &&
    idOf(object) === approvalUri &&
    idOf(object['interactingObject']) === collectionUri &&
    idOf(object['interactionTarget']) === featuredUri
  )
}

function readTopic(object: WireObject): ParsedFeaturedCollection['tag'] {
  const topic = objectOf(object['topic'])
  return topic && readIfHashtag(topic)
}
