import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CredentialAccount } from '../../lib/api/entities.ts'
import { reasonOf } from '../../lib/api/reason-of.ts'
import { message } from '../../lib/i18n/messages.ts'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import styles from './setup-wizard.module.css'

/** The result of a step that is not saved, and shows the reason at a field. */
export const REFUSED = Symbol('refused')

/** What each step gets. `onDone`: the step is finished or skipped; `onBack` is null on the first. */
export interface StepProps {
  account: CredentialAccount
  onDone: () => void
  onBack: (() => void) | null
}

/** The form of a step. It is saved before the next step appears; if that fails, the step stays with the reason. */
export function StepForm({
  onDone,
  onBack,
  save,
  submit = message('web.setup.continue'),
  canSkip = true,
  children,
}: Pick<StepProps, 'onDone' | 'onBack'> & {
  /** Returns `REFUSED` if the step shows what is wrong. */
  save?: () => Promise<unknown>
  submit?: string
  canSkip?: boolean
  children: ReactNode
}) {
  const [isSaving, setIsSaving] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const saveAndContinue = async () => {
    setIsSaving(true)
    setError(null)
    try {
      if ((await save?.()) === REFUSED) setIsSaving(false)
      else onDone()
    } catch (reason) {
      setError(reasonOf(reason, message('web.settings.failed')))
      setIsSaving(false)
    }
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void saveAndContinue()
      }}
    >
      {children}
      {error !== null && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <p className={styles.actions}>
        <SteadyButton type="submit" className="button" isUnusable={isSaving}>
          {submit}
        </SteadyButton>
        {onBack && (
          <button type="button" className="button button-line" onClick={onBack}>
            {message('web.setup.back')}
          </button>
        )}
        {canSkip && (
          <button type="button" className="button button-line" onClick={onDone}>
            {message('web.setup.skip')}
          </button>
        )}
      </p>
    </form>
  )
}
