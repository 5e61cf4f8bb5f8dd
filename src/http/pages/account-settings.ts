import type { Ctx } from '../../domain/context.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { confirmIdentity } from './confirm-identity/route.ts'
import { secondFactor } from './second-factor/route.ts'
import { settings } from './settings/route.ts'
import { authenticatorApp } from './two-factor/authenticator-app-route.ts'
import { twoFactorMethods } from './two-factor/methods-route.ts'
import { passkeys } from './two-factor/passkeys-route.ts'

/** The account settings with two-factor authentication, and the pages that ask for the second factor. */
export async function accountSettings(api: TypedFastify, ctx: Ctx): Promise<void> {
  for (const pages of [settings, confirmIdentity, secondFactor, twoFactorMethods, authenticatorApp, passkeys])
    await pages(api, ctx)
}
