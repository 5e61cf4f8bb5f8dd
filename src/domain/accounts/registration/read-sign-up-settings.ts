import type { Config } from '../../../platform/config/config.ts'
import type { CachedRead, Read } from '../../context.ts'
import { readStoredSettings } from '../../core/settings-store.ts'

/** The names of the settings that store the administrators' choices about sign-ups, those of Mastodon where it has one. */
export const SIGN_UP_SETTINGS = {
  reasonRequired: 'require_invite_text',
  minAge: 'min_age',
  captcha: 'captcha_enabled',
  perDay: 'sign_ups_per_day',
  perIp: 'sign_ups_per_ip',
  perEmailDomain: 'sign_ups_per_email_domain',
  bootstrapAccounts: 'bootstrap_timeline_accounts',
} as const

export const MAX_BOOTSTRAP_ACCOUNTS = 20

export interface SignUpSettings {
  /** Users who request an account must give a reason. */
  reasonRequired: boolean
  /** In years; 0: none. */
  minAge: number
  /** The keys of hCaptcha if a captcha is required before an address is confirmed; null: none is required. */
  captcha: Config['hcaptcha']
  /** Limits of sign-ups in a day (UTC); 0: none. */
  perDay: number
  perIp: number
  perEmailDomain: number
  /** The usernames of the local accounts that new users follow, and that are the first suggestions to all others. */
  bootstrapAccounts: readonly string[]
}

/** Returns what the administrators have set about sign-ups, beside the registrations mode. */
export async function readSignUpSettings(
  read: Read & Partial<Pick<CachedRead, 'invalidations'>>,
): Promise<SignUpSettings> {
  const stored = await readStoredSettings(read)
  const numberOf = (name: string) => {
    const value = stored.get(name)
    return typeof value === 'number' ? value : 0
  }
  const names = stored.get(SIGN_UP_SETTINGS.bootstrapAccounts)
  return {
    reasonRequired: stored.get(SIGN_UP_SETTINGS.reasonRequired) === true,
    minAge: numberOf(SIGN_UP_SETTINGS.minAge),
    captcha: stored.get(SIGN_UP_SETTINGS.captcha) === true ? read.config.hcaptcha : null,
    perDay: numberOf(SIGN_UP_SETTINGS.perDay),
    perIp: numberOf(SIGN_UP_SETTINGS.perIp),
    perEmailDomain: numberOf(SIGN_UP_SETTINGS.perEmailDomain),
    bootstrapAccounts: typeof names === 'string' && names !== '' ? names.split(',') : [],
  }
}
