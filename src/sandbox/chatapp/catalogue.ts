/** Templates of every business account. */
export interface TemplateButton {
  type: string
  text?: string
  url?: string
  phone_number?: string
  example?: unknown
  flow_id?: string
  navigate_screen?: string
  otp_type?: string
}

export interface TemplateComponent {
  type: 'HEADER' | 'BODY' | 'FOOTER' | 'BUTTONS'
  format?: 'TEXT' | 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION'
  text?: string
  example?: unknown
  buttons?: TemplateButton[]
}

export interface Template {
  name: string
  language: string
  status: string
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
  parameter_format: 'POSITIONAL' | 'NAMED'
  components: TemplateComponent[]
  rejected_reason?: string
}

const body = (text: string, ...examples: string[]): TemplateComponent => ({
  type: 'BODY',
  text,
  ...(examples.length > 0 ? { example: { body_text: [examples] } } : {}),
})
const header = (text: string, ...examples: string[]): TemplateComponent => ({
  type: 'HEADER',
  format: 'TEXT',
  text,
  ...(examples.length > 0 ? { example: { header_text: examples } } : {}),
})
const mediaHeader = (format: 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION'): TemplateComponent => ({
  type: 'HEADER',
  format,
})
const footer = (text: string): TemplateComponent => ({ type: 'FOOTER', text })
const buttons = (...list: TemplateButton[]): TemplateComponent => ({ type: 'BUTTONS', buttons: list })

function template(
  name: string,
  components: TemplateComponent[],
  rest: Partial<Omit<Template, 'name' | 'components'>> = {},
): Template {
  return {
    name,
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components,
    ...rest,
  }
}

export const templates: readonly Template[] = [
  template('hello_world', [
    header('Hello World'),
    body('Welcome! This message shows that your number can send templates.'),
    footer('Sent by the sandbox'),
  ]),
  template('greeting', [body('Hi {{1}}, thanks for getting in touch.', 'Ana')]),
  template('greeting', [body('Hola {{1}}, gracias por escribirnos.', 'Ana')], { language: 'es' }),
  template('greeting', [body('Olá {{1}}, obrigado pelo contato.', 'Ana')], { language: 'pt_BR' }),
  template('order_update', [
    header('Order {{1}}', '1042'),
    body('Hi {{1}}, your order {{2}} is now {{3}}.', 'Ana', '1042', 'on its way'),
    footer('Reply STOP to opt out'),
    buttons(
      { type: 'QUICK_REPLY', text: 'Where is it?' },
      { type: 'URL', text: 'Track', url: 'https://shop.example/orders/{{1}}', example: ['1042'] },
    ),
  ]),
  template('appointment_reminder', [
    body('Your appointment is on {{1}} at {{2}}.', 'Monday', '10:30'),
    buttons({ type: 'QUICK_REPLY', text: 'Confirm' }, { type: 'QUICK_REPLY', text: 'Cancel' }),
  ]),
  template('invoice_ready', [
    mediaHeader('DOCUMENT'),
    body('Your invoice over {{1}} is attached.', '$20.00'),
  ]),
  template('store_location', [mediaHeader('LOCATION'), body('This is where you find us, {{1}}.', 'Ana')]),
  template(
    'summer_sale',
    [
      mediaHeader('IMAGE'),
      body('Summer sale, {{1}}: {{2}} off until Sunday!', 'Ana', '20 %'),
      footer('Tap to stop promotions'),
      buttons(
        { type: 'COPY_CODE', example: ['SUMMER20'] },
        { type: 'URL', text: 'Shop now', url: 'https://shop.example/sale' },
      ),
    ],
    { category: 'MARKETING' },
  ),
  template('product_tour', [mediaHeader('VIDEO'), body('Have a look, {{1}}.', 'Ana')], {
    category: 'MARKETING',
  }),
  template(
    'payment_due',
    [
      {
        type: 'BODY',
        text: 'Dear {{first_name}}, {{amount}} is due on {{due_date}}.',
        example: {
          body_text_named_params: [
            { param_name: 'first_name', example: 'Ana' },
            { param_name: 'amount', example: '$20.00' },
            { param_name: 'due_date', example: '1 May' },
          ],
        },
      },
    ],
    { parameter_format: 'NAMED' },
  ),
  template('feedback_form', [
    body('How did we do?'),
    buttons({ type: 'FLOW', text: 'Tell us', flow_id: 'feedback', navigate_screen: 'RATE' }),
  ]),
  template(
    'login_code',
    [
      body('{{1}} is your verification code.', '123456'),
      buttons({ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }),
    ],
    { category: 'AUTHENTICATION' },
  ),
  template('ask_phone', [
    body('May we have your phone number?'),
    buttons({ type: 'REQUEST_CONTACT_INFO', text: 'Share' }),
  ]),
  template('pending_notice', [body('This template is in review.')], { status: 'PENDING' }),
  template('rejected_offer', [body('This template was rejected, {{1}}.', 'Ana')], {
    status: 'REJECTED',
    category: 'MARKETING',
    rejected_reason: 'PROMOTIONAL',
  }),
  template('paused_offer', [body('This template is paused, {{1}}.', 'Ana')], {
    status: 'PAUSED',
    category: 'MARKETING',
  }),
  template('disabled_offer', [body('This template is disabled.')], {
    status: 'DISABLED',
    category: 'MARKETING',
  }),
]
