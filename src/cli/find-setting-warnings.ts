import type { Ctx } from '../domain/context.ts'
import { findConnectionProblems } from '../platform/db/find-connection-problems.ts'
import { findOpenFileProblem } from '../platform/find-open-file-problem.ts'
import { describeMissingFfmpeg, findFfmpeg } from '../platform/media/audio-video/find-ffmpeg.ts'
import { refusesAllLogins } from '../platform/single-sign-on/read-single-sign-on-settings.ts'

/**
 * Returns a sentence for each setting that is valid and probably a mistake. `bin/linnet doctor` reports the same, except
 * that of open files, because the limit of its own process may be another one.
 */
export async function findSettingWarnings(
  { config, db }: Pick<Ctx, 'config' | 'db'>,
  { runsJobs, servesPages }: { runsJobs: boolean; servesPages: boolean },
): Promise<string[]> {
  const warnings: string[] = []
  if (refusesAllLogins(config.singleSignOn))
    warnings.push('Nobody can log in: OMNIAUTH_ONLY is true, and none of OIDC_ENABLED, SAML_ENABLED and CAS_ENABLED is')
  const problems = await findConnectionProblems(db, { config, runsAll: runsJobs && servesPages })
  warnings.push(...problems.map(({ text, remedy }) => `${text}; ${remedy}`))
  const fileProblem = await findOpenFileProblem()
  if (fileProblem !== null) warnings.push(fileProblem)
  if ((runsJobs || servesPages) && (await findFfmpeg(config)) === null) warnings.push(describeMissingFfmpeg(config))
  return warnings
}
