/** The texts of the page that says how a device installs the certificate, in the languages of the app. */

interface DeviceInstructions {
  name: string;
  steps: readonly string[];
}

export interface CertificateTexts {
  title: string;
  why: string;
  download: string;
  devices: readonly DeviceInstructions[];
  afterTitle: string;
  /** Returns the text with a link to the app. `open` makes the link from a label in the language of the text. */
  afterText: (open: (label: string) => string) => string;
  right: string;
  fingerprint: string;
  limits: string;
}

/** The file name under which a device downloads the certificate. */
export const caCertificateFileName = 'gemba-ca.crt';

export const certificateTexts = {
  en: {
    title: 'Install the certificate of this server',
    why: 'This server made its own certificate, so browsers warn about it. Install the certificate once, and the warning ends. Until then the app needs a connection to the server and cannot open offline.',
    download: 'Download the certificate',
    devices: [
      {
        name: 'Android, in Chrome',
        steps: [
          'Download the certificate.',
          'Open the Settings of the phone, search for “CA certificate” and tap it.',
          `Tap “Install anyway” and choose the file ${caCertificateFileName}.`,
        ],
      },
      {
        name: 'iPhone and iPad, in Safari',
        steps: [
          'Download the certificate and tap “Allow”.',
          'Open Settings, tap “Profile Downloaded”, then “Install”.',
          'Open Settings, General, About, Certificate Trust Settings. Turn on the certificate that begins with “Gemba”.',
        ],
      },
      {
        name: 'Windows, in Chrome or Edge',
        steps: [
          `Download the certificate and open the file ${caCertificateFileName}.`,
          'Click “Install Certificate…”, “Current User”, “Place all certificates in the following store” and “Browse…”.',
          'Choose “Trusted Root Certification Authorities”, click “Finish” and confirm with “Yes”.',
        ],
      },
      {
        name: 'Mac, in Safari or Chrome',
        steps: [
          `Download the certificate, open the file ${caCertificateFileName} and add it to the keychain “login”.`,
          'In Keychain Access double-click the certificate that begins with “Gemba”.',
          'Open “Trust” and choose “Always Trust”.',
        ],
      },
      {
        name: 'Firefox on a computer',
        steps: [
          'Download the certificate.',
          'Open the Settings of Firefox, search for “certificates” and click “View Certificates…”.',
          `Under “Authorities” click “Import…” and choose the file ${caCertificateFileName}. Tick “Trust this CA to identify websites”.`,
        ],
      },
    ],
    afterTitle: 'Then',
    afterText: (open) =>
      `Close all tabs of Gemba and ${open('open the app')}. If you have a pairing link, open it again.`,
    right: 'Is it the right certificate?',
    fingerprint: 'Its SHA-256 fingerprint is the one that the terminal of the server shows:',
    limits:
      'The certificate is limited to the addresses and names of local networks. It says nothing about other websites. You can remove it in the same settings.',
  },
  de: {
    title: 'Zertifikat dieses Servers installieren',
    why: 'Dieser Server hat sein Zertifikat selbst erstellt, deshalb warnen Browser davor. Nach der Installation des Zertifikats endet die Warnung. Bis dahin braucht die App eine Verbindung zum Server und kann offline nicht öffnen.',
    download: 'Zertifikat herunterladen',
    devices: [
      {
        name: 'Android, in Chrome',
        steps: [
          'Das Zertifikat herunterladen.',
          'Die Einstellungen des Telefons öffnen, nach „CA-Zertifikat“ suchen und darauf tippen.',
          `Auf „Trotzdem installieren“ tippen und die Datei ${caCertificateFileName} wählen.`,
        ],
      },
      {
        name: 'iPhone und iPad, in Safari',
        steps: [
          'Das Zertifikat herunterladen und auf „Zulassen“ tippen.',
          'Die Einstellungen öffnen, auf „Profil geladen“ und dann auf „Installieren“ tippen.',
          'Einstellungen, Allgemein, Info, Zertifikatsvertrauenseinstellungen öffnen. Das Zertifikat einschalten, das mit „Gemba“ beginnt.',
        ],
      },
      {
        name: 'Windows, in Chrome oder Edge',
        steps: [
          `Das Zertifikat herunterladen und die Datei ${caCertificateFileName} öffnen.`,
          'Auf „Zertifikat installieren…“, „Aktueller Benutzer“, „Alle Zertifikate in folgendem Speicher speichern“ und „Durchsuchen…“ klicken.',
          '„Vertrauenswürdige Stammzertifizierungsstellen“ wählen, auf „Fertig stellen“ klicken und mit „Ja“ bestätigen.',
        ],
      },
      {
        name: 'Mac, in Safari oder Chrome',
        steps: [
          `Das Zertifikat herunterladen, die Datei ${caCertificateFileName} öffnen und dem Schlüsselbund „Anmeldung“ hinzufügen.`,
          'In der Schlüsselbundverwaltung auf das Zertifikat doppelklicken, das mit „Gemba“ beginnt.',
          '„Vertrauen“ öffnen und „Immer vertrauen“ wählen.',
        ],
      },
      {
        name: 'Firefox auf einem Computer',
        steps: [
          'Das Zertifikat herunterladen.',
          'Die Einstellungen von Firefox öffnen, nach „Zertifikate“ suchen und auf „Zertifikate anzeigen…“ klicken.',
          `Unter „Zertifizierungsstellen“ auf „Importieren…“ klicken und die Datei ${caCertificateFileName} wählen. „Dieser CA vertrauen, um Websites zu identifizieren“ ankreuzen.`,
        ],
      },
    ],
    afterTitle: 'Danach',
    afterText: (open) =>
      `Alle Tabs von Gemba schließen und ${open('die App öffnen')}. Einen Link zum Koppeln noch einmal öffnen.`,
    right: 'Ist es das richtige Zertifikat?',
    fingerprint: 'Sein SHA-256-Fingerabdruck ist der, den das Terminal des Servers zeigt:',
    limits:
      'Das Zertifikat ist auf Adressen und Namen lokaler Netze beschränkt. Über andere Websites sagt es nichts aus. Es lässt sich in denselben Einstellungen entfernen.',
  },
} satisfies Record<string, CertificateTexts>;

export type PageLanguage = keyof typeof certificateTexts;
