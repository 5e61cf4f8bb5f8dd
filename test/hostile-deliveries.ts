import { gzipSync } from 'node:zlib'
import type { PeerActor } from './peer/actor.ts'
import type { Activity } from './peer/inbox.ts'
import type { PeerCall } from './peer/reach.ts'

const MB = 1024 * 1024

/** A text that repeats a part, which gets its number, so often and as long as these allow. */
function fill(
  { bytes, parts }: { bytes: number; parts: number },
  part: (n: number) => string,
  [open, close]: readonly [string, string],
): string {
  const made: string[] = []
  let left = bytes - open.length - close.length
  for (let n = 0; n < parts; n += 1) {
    const next = part(n)
    left -= next.length + 1
    if (left < 0) break
    made.push(next)
  }
  return open + made.join(',') + close
}

let made = 0

/**
 * Bodies that cost a reader of JSON the most, by what is in them: at most `bytes` long, with so many names and values.
 * Their names are different each time, so that no cache of the reader knows them.
 */
export function costlyBodies(
  activity: Activity,
  { bytes = MB - 1_024, names = Infinity, values = Infinity } = {},
): Map<string, () => string> {
  made += 1
  const head = JSON.stringify(activity).slice(0, -1)
  const lists = { bytes, parts: values }
  const objects = { bytes, parts: names }
  const inList = [`${head},"x${made}":[`, ']}'] as const
  const inObject = [`${head},"x${made}":{`, '}}'] as const
  const name = (n: number) => `k${made}_${n.toString(36)}`
  return new Map([
    ['empty lists', () => fill(lists, () => '[]', inList)],
    ['empty objects', () => fill(lists, () => '{}', inList)],
    ['numbers', () => fill(lists, () => '1.5e3', inList)],
    ['unique names', () => fill(objects, (n) => `"${name(n)}":1`, inObject)],
    ['objects with unique names', () => fill(objects, (n) => `{"${name(n)}":1}`, inList)],
    ['names with prefixes', () => fill(objects, (n) => `"as:as:${name(n)}":1`, inObject)],
    ['types with prefixes', () => `${head},"y":{"type":"${'as:'.repeat(bytes / 3 - 200)}"}}`],
    ['escapes', () => fill(lists, () => String.raw`"\u0000\ud800\""`, inList)],
    ['recipients', () => fill(lists, (n) => `"https://\u00e4${n}.test/${made}"`, [`${head},"to":[`, ']}'])],
    ['digits', () => `${head},"y":${'1'.repeat(bytes - 1_000)}}`],
  ])
}

/** Content-coded with little on the wire, as a zip bomb is. */
export function gzipBomb(activity: Activity): Buffer {
  return gzipSync(costlyBodies(activity).get('empty lists')!())
}

/** Names of the ways in which `sendHostile` sends. */
export const WAYS = ['unsigned', 'wrong key', 'unknown key', 'content coding', 'malformed', 'other body'] as const
export type Way = (typeof WAYS)[number]

/** Headers of a delivery of `body` that the inbox has to refuse, with a signature that costs as much as any. */
export async function hostileOptions(
  actor: PeerActor,
  { way, other }: { way: Way; other: PeerActor },
): Promise<Parameters<PeerActor['send']>[1]> {
  made += 1
  const { privateKey } = other.keys
  if (way === 'unsigned') return { as: 'unsigned' }
  if (way === 'wrong key') return { signer: { keyId: actor.keyId, privateKey } }
  if (way === 'unknown key') return { signer: { keyId: `${actor.id}/invented/${made}#main-key`, privateKey } }
  const signer = { keyId: `${actor.id}/invented/${made}#main-key`, privateKey }
  if (way === 'content coding') return { signer, headers: { 'content-encoding': 'gzip' } }
  if (way === 'malformed') return { signer, tamper: ({ headers }) => void (headers['signature'] = 'keyId="x"') }
  return { signer, tamper: (call) => void (call.body = Buffer.concat([call.body!, Buffer.from(' ')])) }
}

/** The request that an actor would send, without sending it. */
export async function draftDelivery(
  actor: PeerActor,
  ...[activity, options]: Parameters<PeerActor['send']>
): Promise<PeerCall> {
  const drafted: PeerCall[] = []
  const stop = new Error('drafted')
  const tamper = (call: PeerCall) => {
    options?.tamper?.(call)
    drafted.push(call)
    throw stop
  }
  await actor.send(activity, { ...options, tamper }).catch((err: unknown) => {
    if (err !== stop) throw err
  })
  return drafted[0]!
}
