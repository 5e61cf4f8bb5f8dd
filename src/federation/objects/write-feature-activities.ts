import { toJson } from '../../lib/json.ts'
import type { Json } from '../../lib/json.ts'
import { COLLECTION_CONTEXT, PUBLIC } from '../wire/context.ts'
import type { Activity } from './write-activities.ts'

/** Something becomes part of a list of the actor's: a collection of their collections, somebody of a collection. */
export function writeAddition(news: News & { target: string; json: Json<object> }): Activity {
  return write({ id: `${news.uri}#adds/${momentOf(news)}`, type: 'Add', ...toEverybody(news) }, news.json)
}

/** It is no part of it any more. */
export function writeRemoval(news: News & { target: string }): Activity {
  return write({ id: `${news.uri}#removes/${momentOf(news)}`, type: 'Remove', ...toEverybody(news) }, toJson(news.uri))
}

/** A collection says something else about itself. */
export function writeCollectionUpdate(news: News & { json: Json<object> }): Activity {
  return write({ id: `${news.uri}#updates/${momentOf(news)}`, type: 'Update', ...toEverybody(news) }, news.json)
}

interface News {
  /** What it is about. */
  uri: string
  actor: string
  target?: string
  /** When; two of a kind about the same thing are told apart by it. `end`: after this there is nothing more. */
  at: Date | 'end'
}

function momentOf({ at }: News): string {
  return at === 'end' ? at : String(at.getTime())
}

function toEverybody({ actor, target }: News): object {
  return { actor, to: [PUBLIC], cc: [`${actor}/followers`], ...(target === undefined ? {} : { target }) }
}

/** Somebody wants to put somebody into a collection of theirs. */
export interface FeatureRequest {
  uri: string
  /** Who asks. */
  actor: string
  /** Who is asked. */
  object: string
  /** The collection. */
  instrument: string
}

export function writeFeatureRequest({ uri, ...rest }: FeatureRequest): Activity {
  const json = toJson<object>({ id: uri, type: 'FeatureRequest', ...rest, to: [rest.object] })
  return { uri, context: COLLECTION_CONTEXT, json }
}

/** `id` tells this answer from those to other requests; `result` is the address of the consent. */
export function writeFeatureAccept(request: FeatureRequest, { id, result }: { id: string; result: string }): Activity {
  const actor = request.object
  const head = { id: `${actor}#accepts/feature_requests/${id}`, type: 'Accept', actor, to: [request.actor], result }
  return write(head, writeFeatureRequest(request).json)
}

export function writeFeatureReject(request: FeatureRequest, { id }: { id: string }): Activity {
  const actor = request.object
  const head = { id: `${actor}#rejects/feature_requests/${id}`, type: 'Reject', actor, to: [request.actor] }
  return write(head, writeFeatureRequest(request).json)
}

/** That somebody agrees to be in a collection. */
export interface Consent {
  uri: string
  /** Who agrees. */
  actor: string
  collectionUri: string
}

/** Without context. */
export function writeAuthorization({ uri, actor, collectionUri }: Consent): Json<object> {
  return toJson({
    id: uri,
    type: 'FeatureAuthorization',
    attributedTo: actor,
    interactingObject: collectionUri,
    interactionTarget: actor,
  })
}

/** Somebody does not agree any more. */
export function writeAuthorizationDelete(consent: Consent): Activity {
  const head = { id: `${consent.uri}#delete`, type: 'Delete', actor: consent.actor, to: [PUBLIC] }
  return write(head, writeAuthorization(consent))
}

function write(head: { id: string; type: string }, object: Json<unknown>): Activity {
  const json = `${toJson(head).slice(0, -1)},"object":${object}}` as Json<object>
  return { uri: head.id, context: COLLECTION_CONTEXT, json }
}
