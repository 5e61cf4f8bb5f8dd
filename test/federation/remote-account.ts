import type { KeyObject } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { signCavage } from '../../src/federation/signatures/cavage.ts'
import { signMessage } from '../../src/federation/signatures/rfc9421.ts'
import type { ClientResponse } from '../http/client.ts'
import type { BuilderCtx } from '../query-builder.ts'
import { takeKeyPair } from '../services/rsa-keys.ts'

/** A recorded remote account with a key, whose server does not exist. */
export interface RemoteAccount {
  accountId: string
  uri: string
  keyId: string
  privateKey: KeyObject
  /** Sends a signed GET to this server. */
  get(path: string, options?: SignedOptions): Promise<ClientResponse>
}

interface SignedOptions {
  accept?: string
  spec?: 'cavage' | 'rfc9421'
  /** Overrides the recorded key. */
  keyId?: string
  privateKey?: KeyObject
}

export async function createSigningRemoteAccount(
  { ctx, server }: { ctx: BuilderCtx; server: FastifyInstance },
  { username, domain = 'remote.test', ...more }: { username: string; domain?: string } & Record<string, unknown>,
): Promise<RemoteAccount> {
  const uri = `https://${domain}/users/${username}`
  const keyId = `${uri}#main-key`
  const { publicKey, privateKey } = takeKeyPair()
  const accountId = await ctx.write(async (tx) => {
    const account = await tx.db
      .insertInto('accounts')
      .values({
        username,
        domain,
        uri,
        url: `https://${domain}/@${username}`,
        inbox_url: `${uri}/inbox`,
        followers_url: `${uri}/followers`,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.db.insertInto('account_stats').values({ account_id: account.id }).execute()
    await tx.db
      .insertInto('actor_keys')
      .values({
        key_id: keyId,
        owner_uri: uri,
        account_id: account.id,
        public_key_pem: publicKey.export({ type: 'spki', format: 'pem' }),
      })
      .execute()
    return account.id
  })
  const get = async (path: string, options: SignedOptions = {}): Promise<ClientResponse> => {
    const url = ctx.config.origin + path
    const headers = { host: new URL(url).host, accept: options.accept ?? 'application/activity+json' }
    const sign = options.spec === 'rfc9421' ? signMessage : signCavage
    const key = { keyId: options.keyId ?? keyId, privateKey: options.privateKey ?? privateKey }
    const signed = await sign({ method: 'GET', url, headers, body: null }, { key, now: ctx.now() })
    const response = await server.inject({ method: 'GET', url: path, headers: { ...headers, ...signed } })
    const isJson = String(response.headers['content-type']).includes('json') && response.body !== ''
    return { status: response.statusCode, headers: response.headers, body: isJson ? response.json() : response.body }
  }
  return { accountId, uri, keyId, privateKey, get }
}
