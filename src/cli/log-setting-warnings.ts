import type { Ctx } from '../domain/context.ts'
import { findConnectionProblems } from '../platform/db/find-connection-problems.ts'
import { describeMissingFfmpeg, findFfmpeg } from '../platform/media/audio-video/find-ffmpeg.ts'
import { refusesAllLogins } from '../platform/single-sign-on/read-single-sign-on-settings.ts'

/** Logs a warning for each setting that is valid and probably a mistake. `bin/linnet doctor` reports the same. */
export async function logSettingWarnings(
  { config, db, log }: Pick<Ctx, 'config' | 'db' | 'log'>,
  { runsJobs, servesPages }: { runsJobs: boolean; servesPages: boolean },
): Promise<void> {
  if (refusesAllLogins(config.singleSignOn))
    log.warn({}, 'Nobody can log in: OMNIAUTH_ONLY is true, and none of OIDC_ENABLED, SAML_ENABLED and CAS_ENABLED is')
  const problems = await findConnectionProblems(db, { config, runsAll: runsJobs && servesPages })
  for (const { text, remedy } of problems) log.warn({}, `${text}; ${remedy}`)
  if ((runsJobs || servesPages) && (await findFfmpeg(config)) === null) log.warn({}, describeMissingFfmpeg(config))
}
