import { useEffect, useRef } from 'react'
import type { ComponentType } from 'react'
import type { CredentialAccount } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { DomainStep } from './domain-step.tsx'
import { FirstPostStep } from './first-post-step.tsx'
import { MailStep } from './mail-step.tsx'
import { PeopleStep } from './people-step.tsx'
import { ProfileStep } from './profile-step.tsx'
import { RegistrationsStep } from './registrations-step.tsx'
import { RulesStep } from './rules-step.tsx'
import { ServerStep } from './server-step.tsx'
import { finishStep, stepsOf } from './setup-steps.ts'
import type { SetupStep } from './setup-steps.ts'
import type { StepProps } from './step-form.tsx'
import { TagsStep } from './tags-step.tsx'
import styles from './setup-wizard.module.css'

const STEPS: Record<SetupStep, ComponentType<StepProps>> = {
  domain: DomainStep,
  server: ServerStep,
  profile: ProfileStep,
  registrations: RegistrationsStep,
  rules: RulesStep,
  mail: MailStep,
  post: FirstPostStep,
  people: PeopleStep,
  tags: TagsStep,
}

/** The first steps of a user, one on each screen. `onStep(null)`: after the last one. */
export function SetupWizard({
  account,
  step,
  onStep,
}: {
  account: CredentialAccount
  step: SetupStep
  onStep: (step: SetupStep | null) => void
}) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [step])
  const steps = stepsOf(account)
  const index = steps.indexOf(step)
  const Step = STEPS[step]
  const previous = steps[index - 1]
  return (
    <div className={styles.wizard}>
      <div className={styles.progress}>
        <p id="setup-progress">{message('web.setup.progress', { step: index + 1, count: steps.length })}</p>
        <progress aria-labelledby="setup-progress" value={index + 1} max={steps.length} />
      </div>
      <h2 ref={title} className={styles.title} tabIndex={-1}>
        {message(`web.setup.${step}.title`)}
      </h2>
      <Step
        key={step}
        account={account}
        onBack={previous ? () => onStep(previous) : null}
        onDone={() => {
          void finishStep(step)
          onStep(steps[index + 1] ?? null)
        }}
      />
    </div>
  )
}
