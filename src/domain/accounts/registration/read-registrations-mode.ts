import type { RegistrationsMode } from '../../../platform/config/config.ts'
import type { Ctx, Read } from '../../context.ts'
import { readSetting } from '../../core/settings-store.ts'
import type { ValidInvite } from '../../invites/find-invite.ts'
import { findIpBlockSeverity } from '../../ip-blocks/find-ip-block.ts'

/** The setting that stores the administrators' choice. */
export const REGISTRATIONS_SETTING = 'registrations_mode'

/**
 * Returns whether users may sign up, with or without approval. The setting takes precedence over the environment
 * variable. Users of external log-ins (`OMNIAUTH_ONLY`) do not sign up.
 */
export async function readRegistrationsMode(read: Read): Promise<RegistrationsMode> {
  if (read.config.singleUserMode || read.config.singleSignOn.only) return 'none'
  return (await readSetting<RegistrationsMode>(read, { name: REGISTRATIONS_SETTING })) ?? read.config.registrationsMode
}

/**
 * Returns whether users with this IP address may sign up, with or without approval. An invite permits it also while
 * registrations are closed; IP blocks may restrict it.
 */
export async function readRegistrationsModeFor(
  ctx: Ctx,
  { ip, invite = null }: { ip: string | null; invite?: Pick<ValidInvite, 'bypassesApproval'> | null },
): Promise<RegistrationsMode> {
  const general = await readRegistrationsMode(ctx)
  const isInvitable = !ctx.config.singleUserMode && !ctx.config.singleSignOn.only
  const mode = invite && general !== 'open' && isInvitable ? modeOfInvite(invite) : general
  if (mode === 'none') return mode
  const severity = ip === null ? null : await findIpBlockSeverity(ctx, { ip, now: ctx.now() })
  if (severity === null) return mode
  return severity === 'sign_up_requires_approval' ? 'approved' : 'none'
}

function modeOfInvite({ bypassesApproval }: Pick<ValidInvite, 'bypassesApproval'>): RegistrationsMode {
  return bypassesApproval ? 'open' : 'approved'
}
