import { toJson } from '../../../lib/json/json.ts'
import type { Json } from '../../../lib/json/json.ts'
import { NOTE_CONTEXT, PUBLIC } from '../../wire/context.ts'
import type { Activity } from './write-activities.ts'

/** A request that a note may quote another account's note (FEP-044f). */
export interface QuoteRequest {
  uri: string
  /** The author of the quoting note. */
  actor: string
  /** The note to be quoted. */
  object: string
  /** The quoting note: its id, or the embedded note for recipients that could not fetch it. */
  instrument: Json<string | object>
}

/** Returns a QuoteRequest. `to`: the author of the note to be quoted. */
export function writeQuoteRequest({ uri, actor, object, instrument }: QuoteRequest, { to }: { to: string }): Activity {
  const head = toJson({ id: uri, type: 'QuoteRequest', actor, to: [to], object })
  return { uri, context: NOTE_CONTEXT, json: `${head.slice(0, -1)},"instrument":${instrument}}` as Json<object> }
}

interface QuoteAnswer {
  /** The author of the quoted note. */
  actor: string
  /** Unique per request. */
  id: string
}

/** Returns the Accept of a request. `result`: the URL of the quote authorization. */
export function writeQuoteAccept(
  request: QuoteRequest,
  { actor, id, result }: QuoteAnswer & { result: string },
): Activity {
  const head = { id: `${actor}#accepts/quote_requests/${id}`, type: 'Accept', actor, to: [request.actor], result }
  return withObject(head, writeQuoteRequest(request, { to: actor }).json)
}

/** Returns the Reject of a request. */
export function writeQuoteReject(request: QuoteRequest, { actor, id }: QuoteAnswer): Activity {
  const head = { id: `${actor}#rejects/quote_requests/${id}`, type: 'Reject', actor, to: [request.actor] }
  return withObject(head, writeQuoteRequest(request, { to: actor }).json)
}

/** The approval of an author to be quoted by a note. */
export interface QuoteApproval {
  uri: string
  /** The author of the quoted note. */
  actor: string
  /** The ids of the quoting and the quoted note. */
  quoting: string
  quoted: string
}

/** Returns the QuoteAuthorization, without context. */
export function writeQuoteAuthorization({ uri, actor, quoting, quoted }: QuoteApproval): Json<object> {
  return toJson({
    id: uri,
    type: 'QuoteAuthorization',
    attributedTo: actor,
    interactingObject: quoting,
    interactionTarget: quoted,
  })
}

/** Returns the Delete of a QuoteAuthorization: the author revokes the approval. */
export function writeQuoteAuthorizationDelete(approval: QuoteApproval): Activity {
  const head = { id: `${approval.uri}#delete`, type: 'Delete', actor: approval.actor, to: [PUBLIC] }
  return withObject(head, writeQuoteAuthorization(approval))
}

function withObject(head: { id: string }, object: Json<object>): Activity {
  const json = `${toJson(head).slice(0, -1)},"object":${object}}` as Json<object>
  return { uri: head.id, context: NOTE_CONTEXT, json }
}
