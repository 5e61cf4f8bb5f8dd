import { readValue, writeValue } from '../../lib/database.ts'
import { currentAccountId } from '../../lib/session.ts'
import type { CredentialAccount } from '../../lib/api/entities.ts'

/** The steps of the owner of a new server. The domain comes first: nothing can change it later. */
const OWNER_STEPS = ['domain', 'server', 'profile', 'registrations', 'rules', 'mail', 'post'] as const
const USER_STEPS = ['profile', 'people', 'tags'] as const

export type SetupStep = (typeof OWNER_STEPS | typeof USER_STEPS)[number]

/** The bit of a role that may do everything (Mastodon: `Role.permissions`). */
const ADMINISTRATOR = 1n

/** Returns the first steps of a user, which for the owner include those of the server. */
export function stepsOf({ role }: Pick<CredentialAccount, 'role'>): readonly SetupStep[] {
  return BigInt(role.permissions) & ADMINISTRATOR ? OWNER_STEPS : USER_STEPS
}

/** Returns the steps that the user has finished or skipped in this browser. */
export async function readFinishedSteps(): Promise<readonly SetupStep[]> {
  return (await readValue<SetupStep[]>('settings', key()).catch(() => undefined)) ?? []
}

/** Stores a step, so that the wizard goes on after it when the user opens it again. */
export async function finishStep(step: SetupStep): Promise<void> {
  const finished = await readFinishedSteps()
  if (!finished.includes(step)) await writeValue('settings', key(), [...finished, step]).catch(() => undefined)
}

const key = () => `setup-${currentAccountId()}`
