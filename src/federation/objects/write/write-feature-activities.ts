import { toJson } from '../../../lib/json/json.ts'
import type { Json } from '../../../lib/json/json.ts'
import { COLLECTION_CONTEXT, PUBLIC } from '../../wire/context.ts'
import type { Activity } from './write-activities.ts'

/** Returns the Add of a collection to the list of the actor's collections, or of an item to a collection. */
export function writeAddition(event: CollectionEvent & { target: string; json: Json<object> }): Activity {
  return withObject({ id: `${event.uri}#adds/${eventIdOf(event)}`, type: 'Add', ...publicAudience(event) }, event.json)
}

/** Returns the Remove of a collection or of an item. */
export function writeRemoval(event: CollectionEvent & { target: string }): Activity {
  return withObject(
    { id: `${event.uri}#removes/${eventIdOf(event)}`, type: 'Remove', ...publicAudience(event) },
    toJson(event.uri),
  )
}

/** Returns the Update of a collection. */
export function writeCollectionUpdate(event: CollectionEvent & { json: Json<object> }): Activity {
  return withObject(
    { id: `${event.uri}#updates/${eventIdOf(event)}`, type: 'Update', ...publicAudience(event) },
    event.json,
  )
}

interface CollectionEvent {
  /** The id of the collection or the item. */
  uri: string
  actor: string
  target?: string
  /** The time of the event, which distinguishes events of one kind about one object. `end`: no other event follows. */
  at: Date | 'end'
}

function eventIdOf({ at }: CollectionEvent): string {
  return at === 'end' ? at : String(at.getTime())
}

function publicAudience({ actor, target }: CollectionEvent): object {
  return { actor, to: [PUBLIC], cc: [`${actor}/followers`], ...(target === undefined ? {} : { target }) }
}

/** A request to add an account to a featured collection (FEP-7aa9). */
export interface FeatureRequest {
  uri: string
  /** The owner of the collection. */
  actor: string
  /** The account to feature. */
  object: string
  /** The collection. */
  instrument: string
}

export function writeFeatureRequest({ uri, ...rest }: FeatureRequest): Activity {
  const json = toJson<object>({ id: uri, type: 'FeatureRequest', ...rest, to: [rest.object] })
  return { uri, context: COLLECTION_CONTEXT, json }
}

/** Returns the Accept of a request. `id`: unique per request; `result`: the URL of the feature authorization. */
export function writeFeatureAccept(request: FeatureRequest, { id, result }: { id: string; result: string }): Activity {
  const actor = request.object
  const head = { id: `${actor}#accepts/feature_requests/${id}`, type: 'Accept', actor, to: [request.actor], result }
  return withObject(head, writeFeatureRequest(request).json)
}

/** Returns the Reject of a request. `id`: unique per request. */
export function writeFeatureReject(request: FeatureRequest, { id }: { id: string }): Activity {
  const actor = request.object
  const head = { id: `${actor}#rejects/feature_requests/${id}`, type: 'Reject', actor, to: [request.actor] }
  return withObject(head, writeFeatureRequest(request).json)
}

/** The approval of an account to be in a collection. */
export interface FeatureApproval {
  uri: string
  /** The featured account. */
  actor: string
  collectionUri: string
}

/** Returns the FeatureAuthorization, without context. */
export function writeFeatureAuthorization({ uri, actor, collectionUri }: FeatureApproval): Json<object> {
  return toJson({
    id: uri,
    type: 'FeatureAuthorization',
    attributedTo: actor,
    interactingObject: collectionUri,
    interactionTarget: actor,
  })
}

/** Returns the Delete of a FeatureAuthorization: the account revokes its approval. */
export function writeFeatureAuthorizationDelete(approval: FeatureApproval): Activity {
  const head = { id: `${approval.uri}#delete`, type: 'Delete', actor: approval.actor, to: [PUBLIC] }
  return withObject(head, writeFeatureAuthorization(approval))
}

function withObject(head: { id: string; type: string }, object: Json<unknown>): Activity {
  const json = `${toJson(head).slice(0, -1)},"object":${object}}` as Json<object>
  return { uri: head.id, context: COLLECTION_CONTEXT, json }
}
