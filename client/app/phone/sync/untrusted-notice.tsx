import { useEffect, useState } from 'preact/hooks';
import { useValue } from '../../shell/engine.tsx';
import { isCertificateUntrusted$ } from '../../shell/updates.ts';
import { untrustedCertificateTexts } from '../../text/phone-on-demand.ts';

/** The page from which a phone installs the certificate. Only a server that made its own certificate has this page. */
const certificatePath = '/certificate';

/** Says that the app cannot open offline, because the phone does not trust the server's certificate. */
export function UntrustedNotice() {
  const isUntrusted = useValue(isCertificateUntrusted$);
  const [hasPage, setHasPage] = useState(false);
  useEffect(() => {
    if (!isUntrusted) return;
    fetch(certificatePath, { method: 'HEAD' }).then(
      ({ ok }) => setHasPage(ok),
      // Ignores a failure: without the server, the notice is shown without the link.
      () => undefined,
    );
  }, [isUntrusted]);
  if (!isUntrusted) return null;
  return (
    <section class="card stack" aria-label={untrustedCertificateTexts.title}>
      <h2>{untrustedCertificateTexts.title}</h2>
      <p class="soft">{untrustedCertificateTexts.text}</p>
      {hasPage && (
        <a href={certificatePath} class="button button-plain">
          {untrustedCertificateTexts.install}
        </a>
      )}
    </section>
  );
}
