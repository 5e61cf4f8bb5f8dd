import { StepForm } from './step-form.tsx'
import type { StepProps } from './step-form.tsx'
import { TestMail } from './test-mail.tsx'

/** Tests whether the mails of the server arrive. */
export function MailStep({ onDone, onBack }: StepProps) {
  return (
    <StepForm onDone={onDone} onBack={onBack}>
      <TestMail />
    </StepForm>
  )
}
