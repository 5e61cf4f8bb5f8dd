import { useEffect, useRef, useState } from 'react'
import { fieldErrorsOf } from '../../../../lib/api/field-errors.ts'
import type { FieldErrors } from '../../../../lib/api/field-errors.ts'
import { reasonOf } from '../../../../lib/api/reason-of.ts'
import { message } from '../../../../lib/i18n/messages.ts'

/**
 * Submits a form. `errors`: what is wrong with its fields, as the server or `check` says; `failure`: the reason of the
 * server, for all of the form. The first invalid field of `form` gets the focus.
 */
export function useSubmit<Form extends HTMLElement = HTMLFormElement>() {
  const form = useRef<Form>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState('')
  const [isBusy, setIsBusy] = useState(false)

  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])

  /** Returns whether the work succeeded. `check` returns what is wrong before anything is sent. */
  const submit = async (work: () => Promise<unknown>, check: () => FieldErrors = () => ({})): Promise<boolean> => {
    if (isBusy) return false
    const invalid = check()
    setErrors(invalid)
    setFailure('')
    if (Object.keys(invalid).length > 0) return false
    setIsBusy(true)
    try {
      await work()
      return true
    } catch (error) {
      setErrors(fieldErrorsOf(error))
      setFailure(reasonOf(error, message('web.admin.action-failed')))
      return false
    } finally {
      setIsBusy(false)
    }
  }

  return { form, errors, failure, isBusy, submit }
}
