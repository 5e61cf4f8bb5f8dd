import type { Ctx } from '../../../domain/context.ts'
import type { FieldError } from '../../../lib/errors.ts'

/** Users need longer to fill in the form, as in Mastodon. */
export const MIN_FORM_SECONDS = 3
const MAX_FORM_HOURS = 24

const FORM_TIME = 'show the sign-up form'

type FormContext = Pick<Ctx, 'secrets' | 'now'>

/** Returns the signed time of a form that is shown at `now`. */
export function signFormTime({ secrets }: Pick<Ctx, 'secrets'>, { now }: { now: Date }): string {
  const time = now.getTime().toString(36)
  return `${time}.${secrets.sign(FORM_TIME, time)}`
}

/** Returns the time at which a form was first shown; null if the server did not sign it, or it is too old. */
export function formTimeOf(ctx: FormContext, { shownAt }: { shownAt: string }): Date | null {
  const [time = '', signature = ''] = shownAt.split('.')
  if (!ctx.secrets.verify(FORM_TIME, time, signature)) return null
  const date = new Date(Number.parseInt(time, 36))
  return ctx.now().getTime() - date.getTime() > MAX_FORM_HOURS * 3_600_000 ? null : date
}

/**
 * Returns the error of a form that a program seems to have sent, because a hidden field has a value or the form was
 * shown less than three seconds before; else null.
 */
export function findProgramProblem(
  ctx: FormContext,
  form: { shown_at?: string; website?: string; confirm_password?: string },
): FieldError | null {
  if (form.website || form.confirm_password) return { attribute: 'form', code: 'ERR_HONEYPOT', text: 'must be empty' }
  const time = formTimeOf(ctx, { shownAt: form.shown_at ?? '' })
  if (time !== null && ctx.now().getTime() - time.getTime() >= MIN_FORM_SECONDS * 1_000) return null
  return { attribute: 'form', code: 'ERR_TOO_FAST', text: 'was submitted too fast, try again' }
}
