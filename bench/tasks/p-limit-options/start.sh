# An API change in an npm package: p-limit takes an object of options, and clearQueue can reject what is waiting.
npm pack --silent p-limit@6.2.0
tar xzf p-limit-6.2.0.tgz --strip-components 1
rm p-limit-6.2.0.tgz
