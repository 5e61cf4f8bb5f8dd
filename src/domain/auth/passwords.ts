import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { TooManyRequestsError } from '../../lib/errors.ts'
import { Semaphore } from '../../lib/async/semaphore.ts'
import type { FieldError } from '../../lib/errors.ts'

const MIN_PASSWORD_CHARACTERS = 8
const MAX_PASSWORD_CHARACTERS = 128

const MEMORY_KIB = 19 * 1024
const PASSES = 2
const PARALLELISM = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

/**
 * Each hash takes 19 MiB and a tenth of a second of one core: more concurrent hashes would only slow down all of them.
 */
const MAX_CONCURRENT_HASHES = 2

/** About two seconds of waiting. Further requests are refused with 429. */
const MAX_WAITING = 40

const derive = promisify(argon2)

const hashingGate = new Semaphore({ permits: MAX_CONCURRENT_HASHES })

/**
 * Returns the argon2id hash of a password (RFC 9106) in the format `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
 * @throws TooManyRequestsError if too many hashes wait already
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
 * Returns whether a password matches a hash. For `null` (unknown user, or no password set) it returns false after the
 * same time. For a password of an invalid length it returns false at once, for known and unknown users alike.
 * @throws TooManyRequestsError if too many hashes wait already
 */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  if (passwordProblem(password) !== null) return false
  const parsed = hash === null ? null : parse(hash)
  const { expected, ...parameters } = parsed ?? DUMMY
  const actual = await compute(password, { ...parameters, tagLength: expected.length })
  return timingSafeEqual(actual, expected) && parsed !== null
}

/** Returns whether a hash has lower cost parameters than new ones, so that the next log-in should replace it. */
export function isOutdated(hash: string): boolean {
  const cost = parse(hash)
  return cost === null || cost.memory < MEMORY_KIB || cost.passes < PASSES
}

/** Returns the problem of a new password, or null. */
export function passwordProblem(password: string): FieldError | null {
  // A character has at most two UTF-16 units, so a very long text is refused before its characters are counted.
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

/** The random bytes that the password of an unknown user is compared with. No password has this hash. */
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
  { salt, ...parameters }: Cost & { salt: Buffer; tagLength: number },
): Promise<Buffer> {
  if (hashingGate.waiting >= MAX_WAITING) throw new TooManyRequestsError()
  // Keyboards differ in the code points that they send for an accented letter.
  const message = password.normalize('NFKC')
  return hashingGate.run(async () => derive('argon2id', { ...parameters, message, nonce: salt }))
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
