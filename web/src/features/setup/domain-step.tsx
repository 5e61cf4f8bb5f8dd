import { startData } from '../../lib/start-data.ts'
import { message } from '../../lib/i18n/messages.ts'
import { StepForm } from './step-form.tsx'
import type { StepProps } from './step-form.tsx'
import styles from './setup-wizard.module.css'

/** Warns that the domain is part of every handle, so that it cannot change once other servers know it. */
export function DomainStep({ account, onDone, onBack }: StepProps) {
  return (
    <StepForm onDone={onDone} onBack={onBack} canSkip={false} submit={message('web.setup.domain.keep')}>
      <p className={styles.domain}>
        <bdi>
          @{account.username}@{startData.domain}
        </bdi>
      </p>
      <p>
        <strong>{message('web.setup.domain.warning', { domain: startData.domain })}</strong>
      </p>
      <p>{message('web.setup.domain.change')}</p>
    </StepForm>
  )
}
