import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { openComposer } from '../composer/open-composer.ts'
import { StepForm } from './step-form.tsx'
import type { StepProps } from './step-form.tsx'

/** Opens the composer for the first post. */
export function FirstPostStep({ onDone, onBack }: StepProps) {
  return (
    <StepForm onDone={onDone} onBack={onBack} canSkip={false} submit={message('web.setup.finish')}>
      <p>{message('web.setup.post.text')}</p>
      <p>
        <button
          type="button"
          className="button"
          onClick={() => openComposer({ type: 'new', text: `${message('web.setup.post.draft')} ` })}
        >
          <Icon name="write" />
          {message('web.setup.post.write')}
        </button>
      </p>
    </StepForm>
  )
}
