import { toJson } from '../../lib/json.ts'
import type { Json } from '../../lib/json.ts'
import { NOTE_CONTEXT, PUBLIC } from '../wire/context.ts'
import type { Activity } from './write-activities.ts'

/** Somebody wants a note of theirs to quote somebody else's. */
export interface QuoteRequest {
  uri: string
  /** Who asks. */
  actor: string
  /** What is to be quoted. */
  object: string
  /** The note that quotes: its id, or the whole of it, for those who could not fetch it. */
  instrument: Json<string | object>
}

/** `to`: the author of what is to be quoted. */
export function writeQuoteRequest({ uri, actor, object, instrument }: QuoteRequest, { to }: { to: string }): Activity {
  const head = toJson({ id: uri, type: 'QuoteRequest', actor, to: [to], object })
  return { uri, context: NOTE_CONTEXT, json: `${head.slice(0, -1)},"instrument":${instrument}}` as Json<object> }
}

interface Answer {
  /** Who was asked. */
  actor: string
  /** Tells this answer from those to other requests. */
  id: string
}

/** `result` is the address of the consent. */
export function writeQuoteAccept(request: QuoteRequest, { actor, id, result }: Answer & { result: string }): Activity {
  const head = { id: `${actor}#accepts/quote_requests/${id}`, type: 'Accept', actor, to: [request.actor], result }
  return around(head, writeQuoteRequest(request, { to: actor }).json)
}

export function writeQuoteReject(request: QuoteRequest, { actor, id }: Answer): Activity {
  const head = { id: `${actor}#rejects/quote_requests/${id}`, type: 'Reject', actor, to: [request.actor] }
  return around(head, writeQuoteRequest(request, { to: actor }).json)
}

/** That somebody agrees to be quoted by a note. */
export interface QuoteConsent {
  uri: string
  /** Who agrees. */
  actor: string
  /** The note that quotes, and the one that it quotes. */
  quoting: string
  quoted: string
}

/** Without context. */
export function writeQuoteAuthorization({ uri, actor, quoting, quoted }: QuoteConsent): Json<object> {
  return toJson({
    id: uri,
    type: 'QuoteAuthorization',
    attributedTo: actor,
    interactingObject: quoting,
    interactionTarget: quoted,
  })
}

/** Somebody does not agree any more. */
export function writeQuoteAuthorizationDelete(consent: QuoteConsent): Activity {
  const head = { id: `${consent.uri}#delete`, type: 'Delete', actor: consent.actor, to: [PUBLIC] }
  return around(head, writeQuoteAuthorization(consent))
}

function around(head: { id: string }, object: Json<object>): Activity {
  const json = `${toJson(head).slice(0, -1)},"object":${object}}` as Json<object>
  return { uri: head.id, context: NOTE_CONTEXT, json }
}
