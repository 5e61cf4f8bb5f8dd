import { gzipSync } from 'node:zlib'
import type { PeerActor } from './peer/actor.ts'
import type { Activity } from './peer/inbox.ts'
import type { PeerCall } from './peer/send-request.ts'

const MB = 1024 * 1024

/** Returns a text that repeats a numbered part up to these limits. */
function repeatToSize(
  { bytes, parts }: { bytes: number; parts: number },
  part: (n: number) => string,
  [open, close]: readonly [string, string],
): string {
  const repeated: string[] = []
  let remaining = bytes - open.length - close.length
  for (let n = 0; n < parts; n += 1) {
    const next = part(n)
    remaining -= next.length + 1
    if (remaining < 0) break
    repeated.push(next)
  }
  return open + repeated.join(',') + close
}

let counter = 0

/**
 * Returns the bodies that are the most expensive to parse as JSON, by their content: with at most `bytes` bytes and
 * this many names and values. Their names differ in each call, so that no cache of the parser contains them.
 */
export function expensiveBodies(
  activity: Activity,
  { bytes = MB - 1_024, names = Infinity, values = Infinity } = {},
): Map<string, () => string> {
  counter += 1
  const head = JSON.stringify(activity).slice(0, -1)
  const lists = { bytes, parts: values }
  const objects = { bytes, parts: names }
  const inList = [`${head},"x${counter}":[`, ']}'] as const
  const inObject = [`${head},"x${counter}":{`, '}}'] as const
  const name = (n: number) => `k${counter}_${n.toString(36)}`
  return new Map([
    ['empty lists', () => repeatToSize(lists, () => '[]', inList)],
    ['empty objects', () => repeatToSize(lists, () => '{}', inList)],
    ['numbers', () => repeatToSize(lists, () => '1.5e3', inList)],
    ['unique names', () => repeatToSize(objects, (n) => `"${name(n)}":1`, inObject)],
    ['objects with unique names', () => repeatToSize(objects, (n) => `{"${name(n)}":1}`, inList)],
    ['names with prefixes', () => repeatToSize(objects, (n) => `"as:as:${name(n)}":1`, inObject)],
    ['types with prefixes', () => `${head},"y":{"type":"${'as:'.repeat(bytes / 3 - 200)}"}}`],
    ['escapes', () => repeatToSize(lists, () => String.raw`"\u0000\ud800\""`, inList)],
    ['recipients', () => repeatToSize(lists, (n) => `"https://\u00e4${n}.test/${counter}"`, [`${head},"to":[`, ']}'])],
    ['digits', () => `${head},"y":${'1'.repeat(bytes - 1_000)}}`],
  ])
}

/** Returns a small gzip body with a large content. */
export function gzipBomb(activity: Activity): Buffer {
  return gzipSync(expensiveBodies(activity).get('empty lists')!())
}

/** The kinds of deliveries that the inbox must reject. */
export const REJECTED_KINDS = [
  'unsigned',
  'wrong key',
  'unknown key',
  'content coding',
  'malformed',
  'other body',
] as const
export type RejectedKind = (typeof REJECTED_KINDS)[number]

/** Returns the options of a delivery that the inbox must reject, with a signature of the usual cost. */
export async function rejectedDeliveryOptions(
  actor: PeerActor,
  { kind, other }: { kind: RejectedKind; other: PeerActor },
): Promise<Parameters<PeerActor['send']>[1]> {
  counter += 1
  const { privateKey } = other.keys
  if (kind === 'unsigned') return { as: 'unsigned' }
  if (kind === 'wrong key') return { signer: { keyId: actor.keyId, privateKey } }
  if (kind === 'unknown key') return { signer: { keyId: `${actor.id}/invented/${counter}#main-key`, privateKey } }
  const signer = { keyId: `${actor.id}/invented/${counter}#main-key`, privateKey }
  if (kind === 'content coding') return { signer, headers: { 'content-encoding': 'gzip' } }
  if (kind === 'malformed') return { signer, tamper: ({ headers }) => void (headers['signature'] = 'keyId="x"') }
  return { signer, tamper: (call) => void (call.body = Buffer.concat([call.body!, Buffer.from(' ')])) }
}

/** Returns the request that an actor would send, without sending it. */
export async function captureDelivery(
  actor: PeerActor,
  ...[activity, options]: Parameters<PeerActor['send']>
): Promise<PeerCall> {
  const captured: PeerCall[] = []
  const stop = new Error('captured')
  const tamper = (call: PeerCall) => {
    options?.tamper?.(call)
    captured.push(call)
    throw stop
  }
  await actor.send(activity, { ...options, tamper }).catch((err: unknown) => {
    if (err !== stop) throw err
  })
  return captured[0]!
}
