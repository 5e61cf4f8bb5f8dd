import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { TooManyRequests } from '../../lib/errors.ts'
import { Gate } from '../../lib/gate.ts'
import type { FieldError } from '../../lib/errors.ts'

const MIN_PASSWORD_CHARACTERS = 8
const MAX_PASSWORD_CHARACTERS = 128

const MEMORY_KIB = 19 * 1024
const PASSES = 2
const PARALLELISM = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Each hash takes 19 MiB and a tenth of a second of one core: more at once would only slow all of them. */
const HASHES_AT_ONCE = 2

/** About two seconds of waiting; whoever comes to a longer line is told to come back. */
const MAX_WAITING = 40

const derive = promisify(argon2)

const hashing = new Gate({ places: HASHES_AT_ONCE })

/**
 * The argon2id hash of a password in the notation `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
 * @throws TooManyRequests when too many hashes wait already
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await compute(password, {
    salt,
    memory: MEMORY_KIB,
    passes: PASSES,
    parallelism: PARALLELISM,
    tagLength: HASH_BYTES,
  })
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Whether a password is the hashed one. `null` (nobody there, or no password set) takes just as long and is false.
 * A password that nobody can have is false at once, whoever it is tried for.
 * @throws TooManyRequests when too many hashes wait already
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  if (passwordProblem(password) !== null) return false
  const known = hash === null ? null : parse(hash)
  const { expected, ...way } = known ?? DUMMY
  const actual = await compute(password, { ...way, tagLength: expected.length })
  return timingSafeEqual(actual, expected) && known !== null
}

/** Whether a hash was made more cheaply than we make them now, so that the next log-in should replace it. */
export function isOutdated(hash: string): boolean {
  const cost = parse(hash)
  return cost === null || cost.memory < MEMORY_KIB || cost.passes < PASSES
}

/** What is wrong with a password that somebody wants to have, or null. */
export function passwordProblem(password: string): FieldError | null {
  // A character is at most two code units, so an endless text is refused before it is counted.
  const length = password.length > 2 * MAX_PASSWORD_CHARACTERS ? Infinity : Array.from(password).length
  const attribute = 'password'
  if (length === 0) return { attribute, code: 'ERR_BLANK', text: "can't be blank" }
  if (length < MIN_PASSWORD_CHARACTERS) {
    return { attribute, code: 'ERR_TOO_SHORT', text: `is too short (minimum is ${MIN_PASSWORD_CHARACTERS} characters)` }
  }
  if (length > MAX_PASSWORD_CHARACTERS) {
    return { attribute, code: 'ERR_TOO_LONG', text: `is too long (maximum is ${MAX_PASSWORD_CHARACTERS} characters)` }
  }
  return null
}

interface Cost {
  memory: number
  passes: number
  parallelism: number
}

/** What an unknown person's password is compared with: random bytes that no password leads to. */
const DUMMY = {
  salt: randomBytes(SALT_BYTES),
  expected: randomBytes(HASH_BYTES),
  memory: MEMORY_KIB,
  passes: PASSES,
  parallelism: PARALLELISM,
}

function parse(hash: string): (Cost & { salt: Buffer; expected: Buffer }) | null {
  const found = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([\w+/]+)\$([\w+/]+)$/.exec(hash)
  if (!found) return null
  const [, memory, passes, parallelism, salt, expected] = found
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt!, 'base64'),
    expected: Buffer.from(expected!, 'base64'),
  }
}

async function compute(
  password: string,
  { salt, ...way }: Cost & { salt: Buffer; tagLength: number },
): Promise<Buffer> {
  if (hashing.waiting >= MAX_WAITING) throw new TooManyRequests()
  // One spelling: keyboards differ in how they send an accented letter.
  const message = password.normalize('NFKC')
  return hashing.pass(async () => derive('argon2id', { ...way, message, nonce: salt }))
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
