import { normalizeLanguage } from '../../lib/text/language.ts'
import { normalizeTag } from '../../lib/text/normalizeTag.ts'
import { sanitizeHtml } from '../../lib/text/sanitize.ts'
import type { WireObject } from '../wire/normalise.ts'
import {
  flagOf,
  idOf,
  isOfType,
  isSameHost,
  lineOf,
  linksOf,
  momentOf,
  objectOf,
  objectsOf,
  textOf,
  textsByLanguage,
  totalOf,
} from '../wire/read.ts'
import { Unreadable } from '../wire/unreadable.ts'
import { LIMITS } from './limits.ts'

const COLLECTION = new Set(['FeaturedCollection'])
const ITEM = new Set(['FeaturedItem'])
const AUTHORIZATION = new Set(['FeatureAuthorization'])
const HASHTAG = new Set(['Hashtag'])

/** Somebody's place in a collection elsewhere. That they agreed is only claimed. */
export interface FeaturedItemFacts {
  uri: string
  /** Who is featured. */
  featuredUri: string
  approvalUri: string
  addedAt: Date | null
}

/** A collection elsewhere, as its document says. */
export interface FeaturedCollectionFacts {
  uri: string
  attributedTo: string
  url: string | null
  name: string
  /** Clean HTML. */
  description: string
  language: string | null
  sensitive: boolean
  discoverable: boolean
  topic: { name: string; display: string } | null
  itemCount: number | null
  publishedAt: Date | null
  updatedAt: Date | null
  /** Null: it does not say who is in it. */
  items: FeaturedItemFacts[] | null
}

export function isFeaturedCollection(object: WireObject): boolean {
  return isOfType(object, COLLECTION)
}

export function isFeaturedItem(object: WireObject): boolean {
  return isOfType(object, ITEM)
}

/** @throws Unreadable for other kinds, and for one without an id, an owner or a name */
export function readFeaturedCollection(object: WireObject, { now }: { now: Date }): FeaturedCollectionFacts {
  const [uri, attributedTo] = [idOf(object), idOf(object['attributedTo'])]
  const name = lineOf(object['name'], LIMITS.collectionName)
  if (!isFeaturedCollection(object) || uri === null || attributedTo === null || name === null) {
    throw new Unreadable('A collection has an id, an owner and a name')
  }
  const [mapped] = textsByLanguage(object['summaryMap'])
  const summary = textOf(object['summary'], LIMITS.summary) ?? mapped?.text.slice(0, LIMITS.summary) ?? ''
  const list = object['orderedItems'] ?? object['items']
  return {
    uri,
    attributedTo,
    url: linksOf(object['url'], LIMITS.links).find(({ url }) => isSameHost(url, uri))?.url ?? null,
    name,
    description: sanitizeHtml(summary),
    language: normalizeLanguage(mapped?.language),
    sensitive: flagOf(object['sensitive']) === true,
    discoverable: flagOf(object['discoverable']) !== false,
    topic: readTopic(object),
    itemCount: totalOf(object),
    publishedAt: momentOf(object['published'], now),
    updatedAt: momentOf(object['updated'], now),
    items:
      list === undefined
        ? null
        : objectsOf(list, LIMITS.collectionItems)
            .map((item) => readFeaturedItem(item, { collectionUri: uri, now }))
            .filter((item) => item !== null),
  }
}

/** Somebody's place in a collection; null for what is none, or lies at another server than the collection. */
export function readFeaturedItem(
  object: WireObject,
  { collectionUri, now }: { collectionUri: string; now: Date },
): FeaturedItemFacts | null {
  const uri = idOf(object)
  const featuredUri = idOf(object['featuredObject'])
  const approvalUri = idOf(object['featureAuthorization'])
  if (!isFeaturedItem(object) || uri === null || featuredUri === null || approvalUri === null) return null
  if (!isSameHost(uri, collectionUri)) return null
  return { uri, featuredUri, approvalUri, addedAt: momentOf(object['published'], now) }
}

/** Whether a document that lies with somebody says that they agree to be in this collection. */
export function isConsent(
  object: WireObject,
  { featuredUri, collectionUri }: { featuredUri: string; collectionUri: string },
): boolean {
  const [collection, target] = [idOf(object['interactingObject']), idOf(object['interactionTarget'])]
  return isOfType(object, AUTHORIZATION) && collection === collectionUri && target === featuredUri
}

function readTopic(object: WireObject): FeaturedCollectionFacts['topic'] {
  const topic = objectOf(object['topic'])
  if (!topic || !isOfType(topic, HASHTAG)) return null
  const display = lineOf(topic['name'], LIMITS.field)?.replace(/^[#＃]\s*/, '') ?? ''
  const name = normalizeTag(display)
  return name === null ? null : { name, display }
}
